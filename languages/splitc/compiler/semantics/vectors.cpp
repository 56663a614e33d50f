// SPDX-License-Identifier: Apache-2.0
// Operators on vectors (GNU): element by element; a number beside a vector stands for a vector of
// it; comparisons give integers of the elements' size.
#include "languages/splitc/compiler/semantics/arithmetic.hpp"
#include "languages/splitc/compiler/semantics/operand_pairs.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

namespace {

bool needs_integers(punctuator op) {
  switch (op) {
    case punctuator::percent:
    case punctuator::ampersand:
    case punctuator::bar:
    case punctuator::caret:
    case punctuator::shift_left:
    case punctuator::shift_right:
      return true;
    default:
      return false;
  }
}

bool same_elements(const type* a, const type* b) {
  if (a->count != b->count) return false;
  if (same_type(a->target.of, b->target.of)) return true;
  return is_integer(a->target.of) && is_integer(b->target.of) && size_of(a) == size_of(b);
}

type_kind integer_of_size(std::uint64_t bytes) {
  switch (bytes) {
    case 1:
      return type_kind::signed_char;
    case 2:
      return type_kind::short_;
    case 4:
      return type_kind::int_;
    case 8:
      return type_kind::long_;
    default:
      return type_kind::int128;
  }
}

}  // namespace

// A number stands for a vector if each element can hold it.
bool pair_rules::is_element(const node* e, const type* number, const type* element) const {
  const bool to_integer = is_integer(element);
  if (number->kind == type_kind::bool_ || number->kind == type_kind::enumeration) return false;
  if (is_integer(number)) {
    const std::optional<__int128> value = fold(e);
    if (!to_integer)
      return value || width_of(number) <= (size_of(element) == std::uint64_t{4} ? 24u : 53u);
    const std::uint32_t width = width_of(element);
    if (!value || width_of(number) <= width) return width_of(number) <= width;
    const bool is_negative = is_unsigned(number) && (*value >> (width_of(number) - 1)) == 1;
    const __int128 least = -(static_cast<__int128>(1) << (width - 1));
    const __int128 signed_value =
        is_negative ? *value - (static_cast<__int128>(1) << width_of(number)) : *value;
    return signed_value >= least && signed_value < -2 * least;
  }
  if (to_integer || !is_floating(number)) return false;
  return size_of(number) <= size_of(element) || bare(e)->kind == node_kind::number;
}

const type* pair_rules::vector_type(punctuator op, const operand_pair& both) {
  const type *left = both.left_type, *right = both.right_type;
  const bool left_vector = left->kind == type_kind::vector;
  const bool right_vector = right->kind == type_kind::vector;
  if (!left_vector && !right_vector) return nullptr;
  const type* result = left_vector ? left : right;
  if (left_vector && right_vector && !same_elements(left, right)) return nullptr;
  if (!left_vector && !is_element(both.left, left, result->target.of)) return nullptr;
  const bool shifts = op == punctuator::shift_left || op == punctuator::shift_right;
  if (shifts && !right_vector && is_integer(right) && is_integer(left->target.of)) return left;
  if (!right_vector && !is_element(both.right, right, result->target.of)) return nullptr;
  return needs_integers(op) && !is_integer(result->target.of) ? nullptr : result;
}

const type* pair_rules::signed_vector(const type* vector) {
  const type* element = vector->target.of;
  const std::optional<std::uint64_t> bytes = size_of(element);
  if (!bytes) return vector;
  return types_.vector_of(types_.basic(integer_of_size(*bytes)), vector->count);
}

}  // namespace splitcc
