// SPDX-License-Identifier: Apache-2.0
// What the operators of two operands have in common. (C17 6.3.1.8, 6.5.6.)
#include "languages/splitc/compiler/semantics/operand_pairs.hpp"
#include "languages/splitc/compiler/semantics/arithmetic.hpp"

namespace splitcc {

const type* pair_rules::arithmetic_type(const operand_pair& both) {
  const type* left = promoted_operand(types_, both.left, both.left_type);
  const type* right = promoted_operand(types_, both.right, both.right_type);
  // A bit-field wider than int has a type of its width: a long is wider than one of 40 bits.
  if (is_integer(left) && is_integer(right)) {
    const std::uint32_t left_width = bit_field_width(both.left);
    const std::uint32_t right_width = bit_field_width(both.right);
    if (left_width > 32 && !right_width && width_of(right) > left_width) return right;
    if (right_width > 32 && !left_width && width_of(left) > right_width) return left;
  }
  return common_type(types_, left, right);
}

bool pair_rules::to_common_view(operand_pair& both) {
  const type *left = both.left_type, *right = both.right_type;
  const bool left_wide = is_wide_pointer(left), right_wide = is_wide_pointer(right);
  if (!left_wide && !right_wide) return false;
  const bool alike = left_wide && right_wide && left->view == right->view;
  if (alike) return true;
  reach view = left_wide ? left->view : right->view;
  if (left_wide && right_wide) view = reach::global;
  const type* other = left_wide ? left : right;
  const type* pattern = types_.pointer_to(other->target, view);
  both.left = with_view(both.left, pattern);
  both.right = with_view(both.right, pattern);
  both.left_type = value_type(both.left);
  both.right_type = value_type(both.right);
  return true;
}

bool pair_rules::has_size(const node* e, const type* pointer) {
  const type* t = pointer->target.of;
  const bool sized = is_complete(t) || t->kind == type_kind::void_;
  if (sized) return true;
  if (is_record(t))
    report_.error(e->at, "invalid use of undefined type " + quoted({t, 0}));
  else
    report_.error(e->at, "arithmetic on pointer to an incomplete type");
  return false;
}

node* pair_rules::invalid_operands(token_range r, punctuator op, const operand_pair& both) {
  if (!has_value(both.left) || !has_value(both.right)) return error_node(r);
  report_.error(r.at, "invalid operands to binary " + std::string(spelling(op)) + " (have " +
                          quoted({both.left_type, 0}) + " and " + quoted({both.right_type, 0}) +
                          ")");
  return error_node(r);
}

}  // namespace splitcc
