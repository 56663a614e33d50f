// SPDX-License-Identifier: Apache-2.0
// Assignment, and ++ and --, where a global lvalue or a global or spread pointer takes part. The
// left operand is evaluated once. Where the value is not used, nothing is kept for it.
#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {
namespace {

// The operator of a compound assignment.
std::string_view operator_of(punctuator op) {
  switch (op) {
    case punctuator::assign_multiply:
      return "*";
    case punctuator::assign_divide:
      return "/";
    case punctuator::assign_remainder:
      return "%";
    case punctuator::assign_add:
    case punctuator::increment:
      return "+";
    case punctuator::assign_subtract:
    case punctuator::decrement:
      return "-";
    case punctuator::assign_shift_left:
      return "<<";
    case punctuator::assign_shift_right:
      return ">>";
    case punctuator::assign_and:
      return "&";
    case punctuator::assign_xor:
      return "^";
    default:
      return "|";
  }
}

bool goes_back(punctuator op) {
  return op == punctuator::assign_subtract || op == punctuator::decrement;
}

}  // namespace

void emission::assignment(const node* n, bool is_used) {
  const node* left = bare(n->children[0]);
  const node* right = n->children[1];
  if (n->op == punctuator::split_phase || n->op == punctuator::store) return split_phase(n);
  if (is_global(left)) {
    if (n->op == punctuator::assign) return assign_global(n, is_used);
    return change_global(left, right, n->op, false, is_used);
  }
  if (n->op != punctuator::assign && is_wide_pointer(left->type.of))
    return advance_local(left, right, goes_back(n->op), false, is_used);
  const node* source = only_read(right);
  if (!is_used && n->op == punctuator::assign && source && !source->is_bit_field &&
      !word_suffix(source->type.of) && is_addressable(left) && !(left->type.qualifiers & kConst) &&
      same_type(left->type.of, source->type.of)) {
    out_.text(access_call("read_bytes(&("));
    expression(left);
    out_.text("), ");
    address(source);
    return out_.text(", " + size_of_type(source->type) + ")");
  }
  expression(left, power::unary);
  out_.text(" " + std::string(spelling(n->op)) + " ");
  expression(right, power::assignment);
}

// The address that accesses to it go by: of a bit-field, the structure's.
void emission::access_address(const node* lvalue) {
  if (lvalue->is_bit_field)
    object_address(bare(lvalue));
  else
    address(lvalue);
}

// left = right, blocking.
void emission::assign_global(const node* n, bool is_used) {
  const node* left = bare(n->children[0]);
  const node* right = n->children[1];
  const type* t = left->type.of;
  const auto suffix = word_suffix(t);
  if (!is_used && suffix && !left->is_bit_field) {
    out_.text(word_call("write_", left, *suffix) + "(");
    address(left);
    out_.text(", ");
    as_word(t, [&] { expression(right, power::assignment); });
    return out_.text(")");
  }
  if (!is_used && !suffix && is_addressable(right) && same_type(t, right->type.of)) {
    out_.text(access_call("write_bytes("));
    address(left);
    out_.text(", &(");
    expression(right);
    return out_.text("), " + size_of_type(left->type) + ")");
  }
  const std::string at = new_name(), value = new_name();
  out_.text("({ const splitc_bits " + at + " = ");
  access_address(left);
  out_.text("; " + declared({t, 0}, value) + " = ");
  expression(right, power::assignment);
  out_.text("; ");
  write_variable(left, at, value);
  result(left, at, value, is_used);
}

// The end of a statement expression. Of a bit-field, what it holds: not all bits may have fitted.
void emission::result(const node* lvalue, const std::string& at, const std::string& value,
                      bool is_used) {
  if (!is_used) return out_.text("; })");
  out_.text("; ");
  if (lvalue->is_bit_field)
    read_field_at(lvalue, [&] { out_.text(at); });
  else
    out_.text(value);
  out_.text("; })");
}

// left op= by, left++ and the like: a read, then a write.
void emission::change_global(const node* lvalue, const node* by, punctuator op, bool gives_old,
                             bool is_used) {
  lvalue = bare(lvalue);
  const type* t = lvalue->type.of;
  const std::string at = new_name(), old = new_name(), value = new_name();
  out_.text("({ const splitc_bits " + at + " = ");
  access_address(lvalue);
  out_.text("; " + declared({t, 0}, old) + " = ");
  if (lvalue->is_bit_field)
    read_field_at(lvalue, [&] { out_.text(at); });
  else
    read_from(lvalue, [&] { out_.text(at); });
  out_.text("; " + declared({t, 0}, value) + " = ");
  if (is_wide_pointer(t)) {
    step_by(old, by, goes_back(op), t);
  } else {
    out_.text(old + " " + std::string(operator_of(op)) + " ");
    if (by)
      expression(by, power::primary);
    else
      out_.text("1");
  }
  out_.text("; ");
  write_variable(lvalue, at, value);
  if (is_used && gives_old) return out_.text("; " + old + "; })");
  result(lvalue, at, value, is_used);
}

// ++e, --e
void emission::change(const node* n, bool gives_old, bool is_used) {
  const node* e = bare(n->children[0]);
  if (is_global(e)) return change_global(e, nullptr, n->op, gives_old, is_used);
  if (is_wide_pointer(e->type.of))
    return advance_local(e, nullptr, goes_back(n->op), gives_old, is_used);
  const std::string op(spelling(n->op));
  if (!gives_old) out_.text(op);
  expression(e, gives_old ? power::postfix : power::unary);
  if (gives_old) out_.text(op);
}

}  // namespace splitcc
