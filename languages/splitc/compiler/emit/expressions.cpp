// SPDX-License-Identifier: Apache-2.0
// Expressions: as they were written, or by their parts.
#include <algorithm>

#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {
namespace {

binding_power power_of_binary(punctuator op) {
  using power = binding_power;
  switch (op) {
    case punctuator::comma:
      return power::comma;
    case punctuator::logical_or:
      return power::logical_or;
    case punctuator::logical_and:
      return power::logical_and;
    case punctuator::bar:
      return power::bit_or;
    case punctuator::caret:
      return power::bit_xor;
    case punctuator::ampersand:
      return power::bit_and;
    case punctuator::equal:
    case punctuator::not_equal:
      return power::equality;
    case punctuator::less:
    case punctuator::greater:
    case punctuator::less_equal:
    case punctuator::greater_equal:
      return power::relational;
    case punctuator::shift_left:
    case punctuator::shift_right:
      return power::shift;
    case punctuator::plus:
    case punctuator::minus:
      return power::additive;
    default:
      return power::multiplicative;
  }
}

binding_power tighter(binding_power p) {
  return static_cast<binding_power>(static_cast<int>(p) + 1);
}

bool is_comparison(punctuator op) {
  const binding_power p = power_of_binary(op);
  return p == binding_power::equality || p == binding_power::relational;
}

bool is_wide(const node* e) { return is_wide_pointer(e->type.of); }

}  // namespace

// Of the text that an expression becomes. Text that the emitter makes is an operand by itself.
emission::power emission::power_of(const node* n) const {
  if (!is_verbatim(n) && is_global(n)) return power::primary;
  switch (n->kind) {
    case node_kind::binary: {
      const bool is_made = n->op != punctuator::comma && n->op != punctuator::logical_and &&
                           n->op != punctuator::logical_or &&
                           (is_wide(n->children[0]) || is_wide(n->children[1]));
      return !is_verbatim(n) && is_made ? power::primary : power_of_binary(n->op);
    }
    case node_kind::assignment:
      return power::assignment;
    case node_kind::conditional:
      return power::conditional;
    case node_kind::cast:
      return power::cast;
    case node_kind::unary:
    case node_kind::real:
    case node_kind::imaginary:
    case node_kind::label_address:
    case node_kind::sizeof_expression:
    case node_kind::sizeof_type:
    case node_kind::alignof_expression:
    case node_kind::alignof_type:
      return power::unary;
    case node_kind::convert: {
      const bool is_made =
          n->translate && n->converts != conversion::none && n->converts != conversion::decay &&
          n->converts != conversion::arithmetic && n->converts != conversion::reinterpret;
      if (!is_made) return power_of(n->children[0]);
      return n->converts == conversion::to_truth ? power::unary : power::primary;
    }
    case node_kind::postfix:
    case node_kind::call:
    case node_kind::index:
    case node_kind::member:
    case node_kind::arrow:
    case node_kind::compound_literal:
      return power::postfix;
    case node_kind::number:
      return n->value < 0 ? power::unary : power::primary;
    default:
      return power::primary;
  }
}

void emission::expression(const node* n, power least) {
  const bool in_parentheses = power_of(n) < least;
  if (in_parentheses) out_.text("(");
  if (is_verbatim(n))
    out_.tokens(n->first, n->last);
  else
    structure(n);
  if (in_parentheses) out_.text(")");
}

void emission::effect(const node* n) {
  if (is_verbatim(n)) return out_.tokens(n->first, n->last);
  switch (n->kind) {
    case node_kind::parenthesized:
      return effect(n->children[0]);
    case node_kind::assignment:
      return assignment(n, false);
    case node_kind::postfix:
      return change(n, true, false);
    case node_kind::unary:
      if (n->op != punctuator::increment && n->op != punctuator::decrement) break;
      return change(n, false, false);
    case node_kind::binary:
      if (n->op != punctuator::comma) break;
      effect(n->children[0]);
      out_.text(", ");
      return effect(n->children[1]);
    default:
      break;
  }
  structure(n);
}

// By its parts.
void emission::structure(const node* n) {
  if (is_global(n) && n->kind != node_kind::parenthesized) return read(n);
  switch (n->kind) {
    case node_kind::number:
      return made_number(n);
    case node_kind::name:
      return name(n);
    case node_kind::parenthesized:
      return enclosed("(", n->children[0], ")");
    case node_kind::unary:
      return unary(n);
    case node_kind::real:
      return enclosed("__real__ ", n->children[0], "", power::cast);
    case node_kind::imaginary:
      return enclosed("__imag__ ", n->children[0], "", power::cast);
    case node_kind::postfix:
      return change(n, true, true);
    case node_kind::binary:
      return binary(n);
    case node_kind::assignment:
      return assignment(n, true);
    case node_kind::conditional:
      return conditional(n);
    case node_kind::call:
      return call(n);
    case node_kind::index:
      expression(n->children[0], power::postfix);
      return enclosed("[", n->children[1], "]");
    case node_kind::member:
    case node_kind::arrow:
      expression(n->children[0], power::postfix);
      out_.text(n->kind == node_kind::member ? "." : "->");
      return out_.text(n->accessed->name->text);
    case node_kind::cast:
      return cast(n);
    case node_kind::convert:
      return converted(n);
    case node_kind::initializer:
      return initializer(n);
    case node_kind::designation:
      return designation(n);
    default:
      return operand(n);
  }
}

void emission::enclosed(std::string_view before, const node* e, std::string_view after,
                        power least) {
  out_.text(before);
  expression(e, least);
  out_.text(after);
}

void emission::unary(const node* n) {
  const node* e = n->children[0];
  switch (n->op) {
    case punctuator::increment:
    case punctuator::decrement:
      return change(n, false, true);
    case punctuator::ampersand:
      if (is_global(bare(e))) return address(e);
      break;
    case punctuator::exclamation:
      if (is_wide(e)) return enclosed("!splitc_truth(", e, ")", power::assignment);
      break;
    default:
      break;
  }
  enclosed(spelling(n->op), e, "", power::cast);
}

void emission::binary(const node* n) {
  const node* left = n->children[0];
  const node* right = n->children[1];
  if (n->op == punctuator::comma) {
    effect(left);
    out_.text(", ");
    return expression(right, power::assignment);
  }
  const bool logical = n->op == punctuator::logical_and || n->op == punctuator::logical_or;
  if (!logical && (is_wide(left) || is_wide(right))) {
    if (is_comparison(n->op)) return compare(n);
    if (is_wide(left) && is_wide(right)) return difference(n);
    return is_wide(left) ? step(left, right, n->op == punctuator::minus) : step(right, left, false);
  }
  const power p = power_of_binary(n->op);
  const auto side = [&](const node* e, power least) {
    logical&& is_wide(e) ? truth(e) : expression(e, least);
  };
  side(left, p);
  out_.text(" " + std::string(spelling(n->op)) + " ");
  side(right, tighter(p));
}

// condition ? [then] : otherwise
void emission::conditional(const node* n) {
  const node* condition = n->children[0];
  const node* then = n->children[1];
  const node* test =
      condition->kind == node_kind::convert && condition->converts == conversion::to_truth
          ? condition->children[0]
          : condition;
  if (!then && is_wide(test)) {
    const std::string value = new_name();
    out_.text("({ const splitc_bits " + value + " = ");
    expression(test, power::assignment);
    out_.text("; splitc_truth(" + value + ") ? " + value + " : ");
    expression(n->children[2], power::conditional);
    return out_.text("; })");
  }
  if (is_wide(condition))
    truth(condition);
  else
    expression(condition, power::logical_or);
  out_.text(" ? ");
  if (then) expression(then);
  out_.text(" : ");
  expression(n->children[2], power::conditional);
}

void emission::call(const node* n) {
  const node* f = bare(n->children[0]);
  if (f->kind == node_kind::name && f->referred->is_library && f->referred->name->text == "atomic")
    return atomic_call(n);
  expression(n->children[0], power::postfix);
  out_.text("(");
  arguments(n->children.subspan(1));
  out_.text(")");
}

void emission::arguments(std::span<node* const> list) {
  for (const node* e : list) {
    if (e != list.front()) out_.text(", ");
    expression(e, power::assignment);
  }
}

}  // namespace splitcc
