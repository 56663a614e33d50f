// SPDX-License-Identifier: Apache-2.0
// Arithmetic, difference and comparison of pointers of all views. (C17 6.5.6, 6.5.8, 6.5.9; GNU:
// void and functions have the size 1; Split-C: a global pointer stays on its processor, a spread
// pointer goes round.) Where the views differ a local pointer takes the other one's, and spread
// becomes global.
#include "languages/splitc/compiler/semantics/operands.hpp"
#include "languages/splitc/compiler/semantics/operators.hpp"

namespace splitcc {

// p + n, n + p, p - n
node* operator_rules::pointer_step(token_range r, punctuator op, const operand_pair& both) {
  const bool pointer_left = is_any_pointer(both.left_type);
  const type* pointer = pointer_left ? both.left_type : both.right_type;
  if (!has_size(pointer_left ? both.left : both.right, pointer)) return error_node(r);
  node* made = new_binary(r, op, pointer, both);
  made->translate |= is_wide_pointer(pointer);
  return made;
}

node* operator_rules::pointer_difference(token_range r, punctuator op, operand_pair both) {
  const type *left = both.left_type->target.of, *right = both.right_type->target.of;
  if (!same_type(left, right)) return invalid_operands(r, op, both);
  if (!has_size(both.left, both.left_type)) return error_node(r);
  const bool wide = to_common_view(both);
  node* made = new_binary(r, op, types_.difference_type(), both);
  made->translate |= wide;
  return made;
}

// gcc's warnings, which it gives without being asked for.
void operator_rules::check_compared(token_range r, const operand_pair& both, bool for_order) {
  const type *left = both.left_type, *right = both.right_type;
  if (is_any_pointer(left) && is_any_pointer(right)) {
    const type *a = left->target.of, *b = right->target.of;
    const bool with_void = a->kind == type_kind::void_ || b->kind == type_kind::void_;
    if (a == b || (with_void && !for_order) || same_type(a, b)) return;
    if (is_null_constant(both.left) || is_null_constant(both.right)) return;
    if (!is_unknown(a) && !is_unknown(b))
      report_.warning(r.at, "", "comparison of distinct pointer types lacks a cast");
    return;
  }
  const node* number = is_any_pointer(left) ? both.right : both.left;
  if (!is_null_constant(number))
    report_.warning(r.at, "", "comparison between pointer and integer");
}

// Of wide pointers, == and != of the bits is what C says by the same words; a comparison with a
// null pointer constant asks for the address part alone.
node* operator_rules::pointer_comparison(token_range r, punctuator op, operand_pair both) {
  const bool for_order = op != punctuator::equal && op != punctuator::not_equal;
  check_compared(r, both, for_order);
  const bool wide = to_common_view(both);
  node* made = new_binary(r, op, int_type(), both);
  const bool with_null = both.left->converts == conversion::null_to_global ||
                         both.right->converts == conversion::null_to_global;
  made->translate |= wide && (for_order || with_null);
  return made;
}

}  // namespace splitcc
