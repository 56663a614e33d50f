// SPDX-License-Identifier: Apache-2.0
// The values of constant expressions: integers as 128 bits, wrapped to the width of their type;
// floating ones as long double; addresses that are known at compile time, as in
// `(char *)&((struct s *)0)->m - (char *)0`. Nothing where the value is not constant, or known to
// the C compiler alone.
#ifndef SPLITCC_SEMANTICS_FOLDING_HPP
#define SPLITCC_SEMANTICS_FOLDING_HPP

#include <optional>

#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

using constant = std::optional<__int128>;
using floating_constant = std::optional<long double>;

class folder {
 public:
  explicit folder(const token_list& tokens) : tokens_(tokens) {}

  constant integer(const node* e) const;
  floating_constant floating(const node* e) const;
  // Of a pointer; of an object.
  constant address(const node* e) const;
  constant address_of_lvalue(const node* e) const;
  // Of any scalar: whether it is not 0.
  std::optional<bool> truth(const node* e) const;

 private:
  constant converted(const node* from, const type* to) const;
  constant unary(const node* e) const;
  constant binary(const node* e) const;
  constant shift(const node* e) const;
  constant compare(const node* e) const;
  constant difference(const node* e) const;
  constant size(const node* e) const;
  constant offset(const node* e) const;
  constant call(const node* e) const;
  constant call_of_bits(std::string_view name, const node* argument) const;
  floating_constant floating_binary(const node* e) const;
  constant pointer_step(const node* pointer, const node* index, bool back) const;

  const token_list& tokens_;
};

}  // namespace splitcc

#endif
