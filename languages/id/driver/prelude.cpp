// SPDX-License-Identifier: Apache-2.0
// What every program has: written in Id. A program's own definitions of these names go first.
#include "languages/id/driver/front_end.hpp"

namespace idc::driver {

const char* const kPrelude = R"(
def append nil ys = ys
  | append (x:xs) ys = x : append xs ys;
def map f nil = nil
  | map f (x:xs) = f x : map f xs;
def filter p nil = nil
  | filter p (x:xs) = if p x then x : filter p xs else filter p xs;
def foldl f z nil = z
  | foldl f z (x:xs) = foldl f (f z x) xs;
def foldr f z nil = z
  | foldr f z (x:xs) = f x (foldr f z xs);
def length xs = { n = 0 in {for _ <- xs do next n = n + 1 finally n} };
def reverse xs = { ys = nil in {for x <- xs do next ys = x : ys finally ys} };
def nth (x:xs) n = if n == 1 then x else nth xs (n - 1);
)";

}  // namespace idc::driver
