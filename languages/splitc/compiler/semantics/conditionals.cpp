// SPDX-License-Identifier: Apache-2.0
// c ? a : b, and GNU's c ?: b. (C17 6.5.15.) Where the views of two pointers differ, a local one
// takes the other one's, and spread becomes global.
#include "languages/splitc/compiler/semantics/conditionals.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

// logical-OR-expression ? [expression] : conditional-expression
// With `then` left out the condition is a value, converted as the result: its truth is left to the
// emitter.
node* conditional_rules::conditional(token_range r, node* condition, node* then, node* otherwise) {
  const bool omitted = then == nullptr;
  condition = omitted ? operand(condition) : truth_of(condition);
  if (omitted && !is_wide_pointer(value_type(condition))) truth_of(condition);
  node* first = omitted ? condition : operand(then);
  node* second = operand(otherwise);
  operand_pair both = {first, second, value_type(first), value_type(second)};
  const bool wide_condition = omitted && is_wide_pointer(both.left_type);
  const type* t = conditional_type(r, both);
  if (!t) return error_node(r);
  node* made =
      new_expression(node_kind::conditional, r, {t, 0},
                     {omitted ? both.left : condition, omitted ? nullptr : both.left, both.right});
  made->translate |= wide_condition;
  return made;
}

// Null: they do not go together, reported.
const type* conditional_rules::conditional_type(token_range r, operand_pair& both) {
  const type *left = both.left_type, *right = both.right_type;
  if (is_arithmetic(left) && is_arithmetic(right)) return arithmetic_type(both);
  if (is_unknown(left) || is_unknown(right)) {
    if (is_any_pointer(left)) return left;
    return is_any_pointer(right) ? right : unknown_type();
  }
  if (left->kind == type_kind::void_ || right->kind == type_kind::void_) return void_type();
  if (is_any_pointer(left) && is_any_pointer(right)) return conditional_pointers(r, both);
  if (is_any_pointer(left) || is_any_pointer(right)) return conditional_mixed(r, both);
  if (same_type(left, right)) return left;
  report_.error(r.at, "type mismatch in conditional expression");
  return nullptr;
}

const type* conditional_rules::conditional_pointers(token_range r, operand_pair& both) {
  const bool left_null = is_null_constant(both.left), right_null = is_null_constant(both.right);
  const qualified_type left = both.left_type->target, right = both.right_type->target;
  to_common_view(both);
  const reach view = both.left_type->view;
  if (right_null && !left_null) return types_.pointer_to(left, view);
  if (left_null && !right_null) return types_.pointer_to(right, view);
  const auto qualifiers = static_cast<std::uint8_t>(left.qualifiers | right.qualifiers);
  if (same_type(left.of, right.of))
    return types_.pointer_to({composite(types_, left.of, right.of), qualifiers}, view);
  if (left->kind == type_kind::void_ || right->kind == type_kind::void_)
    return types_.pointer_to({void_type(), qualifiers}, view);
  report_.warning(r.at, "", "pointer type mismatch in conditional expression");
  return types_.pointer_to({void_type(), 0}, view);
}

const type* conditional_rules::conditional_mixed(token_range r, operand_pair& both) {
  const bool pointer_left = is_any_pointer(both.left_type);
  node*& number = pointer_left ? both.right : both.left;
  const type* number_type = pointer_left ? both.right_type : both.left_type;
  const type* pointer = pointer_left ? both.left_type : both.right_type;
  if (!is_integer(number_type)) {
    report_.error(r.at, "type mismatch in conditional expression");
    return nullptr;
  }
  if (is_null_constant(number))
    number = with_view(number, pointer);
  else
    report_.warning(r.at, "", "pointer/integer type mismatch in conditional expression");
  return pointer;
}

}  // namespace splitcc
