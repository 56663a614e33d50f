// SPDX-License-Identifier: Apache-2.0
// Unary and binary operators on numbers; the choice among the kinds of operands.
// (C17 6.5.3, 6.5.5 to 6.5.14, 6.5.17.)
#include "languages/splitc/compiler/semantics/operators.hpp"
#include "languages/splitc/compiler/semantics/arithmetic.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

// + - ~
node* operator_rules::sign_or_complement(token_range r, punctuator op, node* e) {
  e = operand(e);
  const type* t = value_type(e);
  const bool complement = op == punctuator::tilde;
  const type* element = t->kind == type_kind::vector ? t->target.of : t;
  const bool fits =
      complement ? is_integer(element) || t->kind == type_kind::complex : is_arithmetic(element);
  if (!fits && !is_unknown(t)) {
    if (!has_value(e)) return error_node(r);
    const char* name = complement                ? "bit-complement"
                       : op == punctuator::minus ? "unary minus"
                                                 : "unary plus";
    report_.error(r.at, std::string("wrong type argument to ") + name);
    return error_node(r);
  }
  const type* result = is_integer(t) ? promoted_operand(types_, e, t) : t;
  node* made = new_expression(node_kind::unary, r, {result, 0}, {e});
  made->op = op;
  return made;
}

node* operator_rules::logical_not(token_range r, node* e) {
  e = operand(e);
  const type* t = value_type(e);
  if (!is_scalar(t) && !is_unknown(t) && t->kind != type_kind::void_) {
    report_.error(r.at, "wrong type argument to unary exclamation mark");
    return error_node(r);
  }
  node* made = new_expression(node_kind::unary, r, {int_type(), 0}, {truth_of(e)});
  made->op = punctuator::exclamation;
  return made;
}

// __real__ e, __imag__ e
node* operator_rules::real_or_imaginary(token_range r, bool imaginary, node* e) {
  const bool is_complex = e->type->kind == type_kind::complex;
  if (!is_complex) e = operand(e);
  const type* t = value_type(e);
  const char* name = imaginary ? "__imag" : "__real";
  if (!is_arithmetic(t) && !is_unknown(t)) {
    report_.error(r.at, std::string("wrong type argument to ") + name);
    return error_node(r);
  }
  const type* part = is_complex ? t->target.of : t;
  node* made = new_expression(imaginary ? node_kind::imaginary : node_kind::real, r,
                              {part, e->type.qualifiers}, {e});
  made->is_lvalue = e->is_lvalue && (is_complex || !imaginary);
  made->place = e->place;
  return made;
}

node* operator_rules::new_binary(token_range r, punctuator op, const type* t,
                                 const operand_pair& both) {
  node* made = new_expression(node_kind::binary, r, {t, 0}, {both.left, both.right});
  made->op = op;
  return made;
}

node* operator_rules::binary(token_range r, punctuator op, node* left, node* right) {
  switch (op) {
    case punctuator::comma:
      return comma(r, left, right);
    case punctuator::logical_and:
    case punctuator::logical_or: {
      left = truth_of(left);
      right = truth_of(right);
      return new_binary(r, op, int_type(), {left, right, int_type(), int_type()});
    }
    default:
      break;
  }
  left = operand(left);
  right = operand(right);
  const operand_pair both = {left, right, value_type(left), value_type(right)};
  switch (op) {
    case punctuator::plus:
    case punctuator::minus:
      return additive(r, op, both);
    case punctuator::shift_left:
    case punctuator::shift_right:
      return shift(r, op, both);
    case punctuator::less:
    case punctuator::greater:
    case punctuator::less_equal:
    case punctuator::greater_equal:
    case punctuator::equal:
    case punctuator::not_equal:
      return comparison(r, op, both);
    default:
      return multiplicative_or_bitwise(r, op, both);
  }
}

// What stands left of a comma is read, too: reads are in program order.
node* operator_rules::comma(token_range r, node* left, node* right) {
  left = operand(left);
  right = operand(right);
  return new_binary(r, punctuator::comma, value_type(right), {left, right, nullptr, nullptr});
}

// * / % & ^ |
node* operator_rules::multiplicative_or_bitwise(token_range r, punctuator op,
                                                const operand_pair& both) {
  const bool integers_alone = op != punctuator::star && op != punctuator::slash;
  const auto fits_one = integers_alone ? is_integer : is_arithmetic;
  const bool fits = fits_one(both.left_type) && fits_one(both.right_type);
  if (fits) return new_binary(r, op, arithmetic_type(both), both);
  if (is_unknown(both.left_type) || is_unknown(both.right_type))
    return new_binary(r, op, unknown_type(), both);
  if (const type* t = vector_type(op, both)) return new_binary(r, op, t, both);
  return invalid_operands(r, op, both);
}

// The type is that of the left operand alone.
node* operator_rules::shift(token_range r, punctuator op, const operand_pair& both) {
  if (is_integer(both.left_type) && is_integer(both.right_type))
    return new_binary(r, op, promoted_operand(types_, both.left, both.left_type), both);
  if (is_unknown(both.left_type) || is_unknown(both.right_type))
    return new_binary(r, op, unknown_type(), both);
  if (const type* t = vector_type(op, both)) return new_binary(r, op, t, both);
  return invalid_operands(r, op, both);
}

node* operator_rules::additive(token_range r, punctuator op, const operand_pair& both) {
  if (is_arithmetic(both.left_type) && is_arithmetic(both.right_type))
    return new_binary(r, op, arithmetic_type(both), both);
  if (is_unknown(both.left_type) || is_unknown(both.right_type)) {
    const bool is_pointer = is_any_pointer(both.left_type) && op == punctuator::plus;
    return new_binary(r, op, is_pointer ? both.left_type : unknown_type(), both);
  }
  if (is_any_pointer(both.left_type) && is_any_pointer(both.right_type) && op == punctuator::minus)
    return pointer_difference(r, op, both);
  const bool pointer_left = is_any_pointer(both.left_type) && is_integer(both.right_type);
  const bool pointer_right = is_any_pointer(both.right_type) && is_integer(both.left_type);
  if (pointer_left || (pointer_right && op == punctuator::plus)) return pointer_step(r, op, both);
  if (const type* t = vector_type(op, both)) return new_binary(r, op, t, both);
  return invalid_operands(r, op, both);
}

node* operator_rules::comparison(token_range r, punctuator op, const operand_pair& both) {
  const type *left = both.left_type, *right = both.right_type;
  if (is_arithmetic(left) && is_arithmetic(right)) {
    const bool unordered = left->kind == type_kind::complex || right->kind == type_kind::complex;
    if (unordered && op != punctuator::equal && op != punctuator::not_equal)
      return invalid_operands(r, op, both);
    return new_binary(r, op, int_type(), both);
  }
  if (left->kind == type_kind::vector || right->kind == type_kind::vector) {
    const type* t = vector_type(op, both);
    if (t) return new_binary(r, op, signed_vector(t), both);
    if (is_unknown(left) || is_unknown(right)) return new_binary(r, op, unknown_type(), both);
    return invalid_operands(r, op, both);
  }
  if (is_unknown(left) || is_unknown(right)) return new_binary(r, op, int_type(), both);
  const bool scalars = is_scalar(left) && is_scalar(right);
  const bool with_pointer = is_any_pointer(left) || is_any_pointer(right);
  if (!scalars || !with_pointer || is_floating(left) || is_floating(right) ||
      left->kind == type_kind::complex || right->kind == type_kind::complex)
    return invalid_operands(r, op, both);
  return pointer_comparison(r, op, both);
}

}  // namespace splitcc
