// SPDX-License-Identifier: Apache-2.0
// Conversions between values, global and spread pointers among them, and truth.
#include "languages/splitc/compiler/emit/emission.hpp"

namespace splitcc {
namespace {

// The conversion that a cast between these means.
conversion conversion_between(const type* from, const type* to) {
  if (to->kind == type_kind::void_) return conversion::arithmetic;
  if (is_wide_pointer(from)) {
    if (is_pointer(to, reach::local)) return conversion::to_local;
    if (to->kind == type_kind::bool_) return conversion::to_truth;
    return is_wide_pointer(to) ? conversion::reinterpret : conversion::arithmetic;
  }
  if (!is_wide_pointer(to)) return conversion::arithmetic;
  const bool is_address = is_pointer(from, reach::local) || from->kind == type_kind::array ||
                          from->kind == type_kind::function;
  return is_address ? conversion::local_to_global : conversion::arithmetic;
}

}  // namespace

void emission::converted(const node* n) { conversion_to(n->children[0], n->converts, n->type); }

void emission::conversion_to(const node* e, conversion kind, qualified_type to) {
  switch (kind) {
    case conversion::read:
      return read(e);
    case conversion::decay_to_global:
      return address(e);
    case conversion::decay_to_spread:
      return address(e);
    case conversion::local_to_global:
    case conversion::local_to_spread:
      out_.text("splitc_own_bits(");
      expression(e, power::assignment);
      return out_.text(")");
    case conversion::to_local:
      out_.text("((" + type_name({to.of, 0}) + ")splitc_local_part(");
      expression(e, power::assignment);
      return out_.text("))");
    case conversion::null_to_global:
      return out_.text("((splitc_bits)0)");
    case conversion::to_truth:
      return truth(e);
    case conversion::none:
    case conversion::decay:
    case conversion::arithmetic:
    case conversion::reinterpret:
      return expression(e);
  }
}

void emission::truth(const node* e) {
  if (!is_wide_pointer(e->type.of)) return expression(e, power::unary);
  out_.text("splitc_truth(");
  expression(e, power::assignment);
  out_.text(")");
}

// ( type ) cast-expression
void emission::cast(const node* n) {
  const node* e = n->children[0];
  const type* to = n->written->type.of;
  const conversion kind = n->converts != conversion::none && n->converts != conversion::read
                              ? n->converts
                              : conversion_between(e->type.of, to);
  out_.text("(");
  written(*n->written);
  out_.text(")");
  switch (kind) {
    case conversion::local_to_global:
    case conversion::local_to_spread:
    case conversion::null_to_global:
    case conversion::to_truth:
      return conversion_to(e, kind, n->type);
    case conversion::to_local:
      out_.text("splitc_local_part(");
      expression(e, power::assignment);
      return out_.text(")");
    default:
      return expression(e, power::cast);
  }
}

}  // namespace splitcc
