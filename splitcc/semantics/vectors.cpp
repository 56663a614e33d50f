// SPDX-License-Identifier: Apache-2.0
// Operators on vectors (GNU): element by element; a number beside a vector stands for a vector of
// it; comparisons give integers of the elements' size.
#include "splitcc/semantics/operands.hpp"
#include "splitcc/semantics/semantics.hpp"

namespace splitcc {

namespace {

bool needs_integers(punctuator op) {
  switch (op) {
    case punctuator::percent:
    case punctuator::ampersand:
    case punctuator::bar:
    case punctuator::caret:
    case punctuator::shift_left:
    case punctuator::shift_right: return true;
    default: return false;
  }
}

bool same_elements(const type* a, const type* b) {
  if (a->count != b->count) return false;
  if (same_type(a->target.of, b->target.of)) return true;
  return is_integer(a->target.of) && is_integer(b->target.of) && size_of(a) == size_of(b);
}

type_kind integer_of_size(std::uint64_t bytes) {
  switch (bytes) {
    case 1: return type_kind::signed_char;
    case 2: return type_kind::short_;
    case 4: return type_kind::int_;
    case 8: return type_kind::long_;
    default: return type_kind::int128;
  }
}

}  // namespace

const type* semantics::vector_type(punctuator op, const operands& both) {
  const type *left = both.left_type, *right = both.right_type;
  const bool left_vector = left->kind == type_kind::vector;
  const bool right_vector = right->kind == type_kind::vector;
  if (!left_vector && !right_vector) return nullptr;
  const type* result = left_vector ? left : right;
  if (left_vector && right_vector && !same_elements(left, right)) return nullptr;
  if (!left_vector && !is_arithmetic(left)) return nullptr;
  if (!right_vector && !is_arithmetic(right)) return nullptr;
  return needs_integers(op) && !is_integer(result->target.of) ? nullptr : result;
}

const type* semantics::signed_vector(const type* vector) {
  const type* element = vector->target.of;
  const std::optional<std::uint64_t> bytes = size_of(element);
  if (!bytes) return vector;
  return types_.vector_of(types_.basic(integer_of_size(*bytes)), vector->count);
}

}  // namespace splitcc
