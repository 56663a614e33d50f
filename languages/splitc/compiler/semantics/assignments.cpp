// SPDX-License-Identifier: Apache-2.0
// Assignment, compound assignment, ++ and --. (C17 6.5.2.4, 6.5.3.1, 6.5.16.) A global lvalue is
// written, or read and written; the value has the type of the left operand.
#include "languages/splitc/compiler/semantics/assignments.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

namespace {

punctuator operator_of(punctuator assignment) {
  switch (assignment) {
    case punctuator::assign_multiply:
      return punctuator::star;
    case punctuator::assign_divide:
      return punctuator::slash;
    case punctuator::assign_remainder:
      return punctuator::percent;
    case punctuator::assign_add:
      return punctuator::plus;
    case punctuator::assign_subtract:
      return punctuator::minus;
    case punctuator::assign_shift_left:
      return punctuator::shift_left;
    case punctuator::assign_shift_right:
      return punctuator::shift_right;
    case punctuator::assign_and:
      return punctuator::ampersand;
    case punctuator::assign_xor:
      return punctuator::caret;
    default:
      return punctuator::bar;
  }
}

bool takes_integers_alone(punctuator op) {
  return op != punctuator::star && op != punctuator::slash && op != punctuator::plus &&
         op != punctuator::minus;
}

bool has_constant_member(const record& r) {
  for (const member& m : r.members) {
    if (m.type.qualifiers & kConst) return true;
    if (is_record(m.type.of) && has_constant_member(*m.type->record)) return true;
  }
  return false;
}

bool is_read_only(qualified_type t) {
  return (t.qualifiers & kConst) || (is_record(t.of) && has_constant_member(*t->record));
}

}  // namespace

node* assignment_operators::assignment(token_range r, punctuator op, node* left, node* right) {
  switch (op) {
    case punctuator::assign:
      return simple_assignment(r, left, right);
    case punctuator::split_phase:
    case punctuator::store:
      return split_phase_assignment(r, op, left, right);
    default:
      return compound_assignment(r, op, left, right);
  }
}

// `verb`: assignment, increment, decrement.
bool assignment_operators::is_assignable(token_range r, const node* left, std::string_view verb) {
  if (left->kind == node_kind::error) return false;
  const type* t = left->type.of;
  const bool is_array = t->kind == type_kind::array || t->kind == type_kind::spread_array;
  if (is_array && verb == "assignment") {
    report_.error(r.at, "assignment to expression with array type");
    return false;
  }
  if ((!left->is_lvalue || is_array) && !is_unknown(t)) {
    const std::string as =
        verb == "assignment" ? "left operand of assignment" : std::string(verb) + " operand";
    report_.error(r.at, "lvalue required as " + as);
    return false;
  }
  if (t->kind == type_kind::void_ || (is_record(t) && !t->record->is_complete)) {
    report_.error(left->at, t->kind == type_kind::void_
                                ? "invalid use of void expression"
                                : "invalid use of undefined type " + quoted({t, 0}));
    return false;
  }
  if (!is_read_only(left->type)) return true;
  report_read_only(r.at, left, verb);
  return false;
}

void assignment_operators::report_read_only(token_index at, const node* left,
                                            std::string_view verb) {
  const node* e = bare(left);
  std::string what = std::string(verb) + " of ";
  if (e->kind == node_kind::name) {
    const bool is_parameter = e->referred->kind == entity_kind::parameter;
    what +=
        (is_parameter ? "read-only parameter " : "read-only variable ") + quoted(e->referred->name);
  } else if (e->kind == node_kind::member || e->kind == node_kind::arrow) {
    const bool of_itself = e->accessed->type.qualifiers & kConst;
    what += (of_itself ? "read-only member " : "member ") + quoted(e->accessed->name) +
            (of_itself ? "" : " in read-only object");
  } else {
    what += "read-only location '" + text_of(e) + "'";
  }
  report_.error(at, what);
}

node* assignment_operators::simple_assignment(token_range r, node* left, node* right) {
  if (is_assignable(r, left, "assignment")) {
    assigned_as use;
    use.at = r.at;
    right = convert_for(right, {left->type.of, 0}, use);
  } else {
    right = operand(right);
  }
  node* made = new_expression(node_kind::assignment, r, {left->type.of, 0}, {left, right});
  made->op = punctuator::assign;
  return made;
}

node* assignment_operators::compound_assignment(token_range r, punctuator op, node* left,
                                                node* right) {
  right = operand(right);
  const type *t = left->type.of, *from = value_type(right);
  if (is_assignable(r, left, "assignment")) {
    const punctuator each = operator_of(op);
    const operand_pair both = {left, right, t, from};
    const bool numbers = takes_integers_alone(each) ? is_integer(t) && is_integer(from)
                                                    : is_arithmetic(t) && is_arithmetic(from);
    const bool pointer = is_any_pointer(t) && is_integer(from) &&
                         (each == punctuator::plus || each == punctuator::minus);
    const bool known = !is_unknown(t) && !is_unknown(from);
    if (known && !numbers && !pointer && pairs_.vector_type(each, both) != t &&
        !is_odd_pointer_step(r, each, both))
      return pairs_.invalid_operands(r, each, both);
    if (pointer && !pairs_.has_size(left, t)) return error_node(r);
  }
  node* made = new_expression(node_kind::assignment, r, {t, 0}, {left, right});
  made->op = op;
  made->translate |= is_wide_pointer(t);
  return made;
}

// `n += p`, `p -= q` of local pointers: C's + and -, and an assignment that gcc warns about.
bool assignment_operators::is_odd_pointer_step(token_range r, punctuator op,
                                               const operand_pair& both) {
  const type *to = both.left_type, *from = both.right_type;
  assigned_as use;
  use.at = r.at;
  if (op == punctuator::plus && is_integer(to) && is_pointer(from, reach::local)) {
    report_mismatch(mismatch::integer_from_pointer, both.left, from, to, use);
    return true;
  }
  if (op != punctuator::minus || !is_pointer(to, reach::local) || !is_pointer(from, reach::local) ||
      !same_type(to->target.of, from->target.of))
    return false;
  report_mismatch(mismatch::pointer_from_integer, both.left, types_.difference_type(), to, use);
  return true;
}

// unary-expression ++, ++ unary-expression, and so with --
node* assignment_operators::step(node_kind kind, token_range r, punctuator op, node* e) {
  const bool up = op == punctuator::increment;
  const type* t = e->type.of;
  const type* element = t->kind == type_kind::vector ? t->target.of : t;
  if (!is_assignable(r, e, up ? "increment" : "decrement")) return error_node(r);
  if (is_any_pointer(t)) {
    if (!is_complete(t->target.of) && t->target->kind != type_kind::void_) {
      report_.error(r.at, std::string(up ? "increment" : "decrement") +
                              " of pointer to an incomplete type " + quoted(t->target));
      return error_node(r);
    }
  } else if (!is_arithmetic(element) && !is_unknown(t)) {
    report_.error(r.at, std::string("wrong type argument to ") + (up ? "increment" : "decrement"));
    return error_node(r);
  }
  node* made = new_expression(kind, r, {t, 0}, {e});
  made->op = op;
  made->translate |= is_wide_pointer(t);
  return made;
}

node* assignment_operators::postfix(token_range r, punctuator op, node* e) {
  return step(node_kind::postfix, r, op, e);
}

}  // namespace splitcc
