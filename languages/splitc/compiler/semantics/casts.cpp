// SPDX-License-Identifier: Apache-2.0
// Casts and compound literals. (C17 6.5.2.5, 6.5.4; GNU: to unions, to vectors.) A cast node says
// in `converts` what the change of a pointer's view needs; between wide pointers and integers the
// bits are the same.
#include "languages/splitc/compiler/semantics/casts.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

namespace {

bool needs_code(conversion c) {
  return c != conversion::none && c != conversion::arithmetic && c != conversion::reinterpret;
}

bool has_member_of(const record& r, const type* t) {
  for (const member& m : r.members)
    if (same_type(m.type.of, t)) return true;
  return false;
}

}  // namespace

// ( type-name ) cast-expression
node* cast_rules::cast(token_range r, written_type* to, node* e) {
  e = operand(e);
  const type *from = value_type(e), *t = to->type.of;
  if (!is_castable(r, e, from, t)) return error_node(r);
  node* made = new_expression(node_kind::cast, r, {t, 0}, {e});
  made->written = to;
  made->converts = conversion_of_cast(r, e, from, t);
  made->translate |= to->translate || needs_code(made->converts);
  made->is_null_constant = is_pointer(t, reach::local) && t->target->kind == type_kind::void_ &&
                           t->target.qualifiers == 0 && is_integer(from) && is_null_constant(e);
  return made;
}

// Reports what is wrong.
bool cast_rules::is_castable(token_range r, const node* e, const type* from, const type* to) {
  if (to->kind == type_kind::void_ || is_unknown(to) || is_unknown(from)) return true;
  if (to->kind == type_kind::array || to->kind == type_kind::spread_array) {
    report_.error(r.at, "cast specifies array type");
    return false;
  }
  if (to->kind == type_kind::function) {
    report_.error(r.at, "cast specifies function type");
    return false;
  }
  if (!has_value(e)) return false;
  if (is_record(to) || to->kind == type_kind::vector) return is_castable_to_aggregate(r, from, to);
  const char* fault = nullptr;
  if (from->kind == type_kind::vector && is_integer(to) && size_of(from) == size_of(to))
    return true;
  if (is_arithmetic(to) && !is_scalar(from))
    fault = is_integer(to) ? "aggregate value used where an integer was expected"
                           : "aggregate value used where a floating-point was expected";
  else if (is_arithmetic(to) && !is_integer(to) && is_any_pointer(from))
    fault = "pointer value used where a floating-point was expected";
  else if (is_any_pointer(to) && !is_integer(from) && !is_any_pointer(from))
    fault = "cannot convert to a pointer type";
  if (fault) report_.error(r.at, fault);
  return fault == nullptr;
}

bool cast_rules::is_castable_to_aggregate(token_range r, const type* from, const type* to) {
  if (same_type(from, to)) return true;
  if (to->kind == type_kind::vector) {
    const bool fits = from->kind == type_kind::vector || is_integer(from);
    if (fits && size_of(from) == size_of(to)) return true;
    report_.error(r.at, "cannot convert a value of type " + quoted({from, 0}) + " to vector type " +
                            quoted({to, 0}) + " which has different size");
    return false;
  }
  if (to->kind == type_kind::union_ && has_member_of(*to->record, from)) return true;
  report_.error(r.at, to->kind == type_kind::union_
                          ? "cast to union type from type not present in union"
                          : "conversion to non-scalar type requested");
  return false;
}

// Warns where gcc does.
conversion cast_rules::conversion_of_cast(token_range r, const node* e, const type* from,
                                          const type* to) {
  if (is_any_pointer(from) && is_any_pointer(to)) {
    if (from->view == to->view) return conversion::none;
    if (to->view == reach::local) return conversion::to_local;
    if (from->view != reach::local) return conversion::reinterpret;
    return to->view == reach::global ? conversion::local_to_global : conversion::local_to_spread;
  }
  if (is_any_pointer(from) && is_integer(to)) {
    if (to->kind == type_kind::bool_)
      return is_wide_pointer(from) ? conversion::to_truth : conversion::none;
    if (size_of(to) != size_of(from))
      report_.warning(r.at, "pointer-to-int-cast",
                      "cast from pointer to integer of different size");
  }
  if (is_any_pointer(to) && is_integer(from)) {
    if (is_null_constant(e))
      return is_wide_pointer(to) ? conversion::null_to_global : conversion::none;
    if (size_of(to) != size_of(from) && !fold(e))
      report_.warning(r.at, "int-to-pointer-cast",
                      "cast to pointer from integer of different size");
  }
  return conversion::none;
}

}  // namespace splitcc
