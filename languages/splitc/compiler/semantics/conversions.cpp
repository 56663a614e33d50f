// SPDX-License-Identifier: Apache-2.0
// Operands: from lvalues, arrays and functions to values, and between the views of pointers.
// (C17 6.3.2; Split-C: sections on conversions and truth of its reference.)
//
// Plain C gets no nodes: that a local array decays, or an int is taken for a double, the C compiler
// knows as well. Nodes stand where a global lvalue is read, and where a pointer changes its view.
#include "languages/splitc/compiler/semantics/operand_rules.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

namespace {

conversion change_of_view(reach from, reach to) {
  if (from == to) return conversion::none;
  if (to == reach::local) return conversion::to_local;
  if (from != reach::local) return conversion::reinterpret;
  return to == reach::global ? conversion::local_to_global : conversion::local_to_spread;
}

qualified_type element_of(const node* array) {
  const qualified_type element = array->type->target;
  return {element.of, static_cast<std::uint8_t>(element.qualifiers | array->type.qualifiers)};
}

}  // namespace

node* operand_rules::operand(node* e) {
  if (e->type->kind == type_kind::spread_array) {
    if (bare(e)->kind != node_kind::index)
      return new_conversion(e, conversion::decay_to_spread,
                            {types_.pointer_to(e->type->target, reach::spread), 0});
    const std::size_t missing = e->type->spread_bounds.size();
    report_.error(e->at, "'" + text_of(e) + "' names no block of the spread array: " +
                             std::to_string(missing) + " more subscript" +
                             (missing == 1 ? " is" : "s are") + " needed before `::` ends");
    return error_node(range_of(e));
  }
  if (is_pointer_to_rows(e->type.of)) e = to_first_block(e);
  if (!is_global_lvalue(e)) return e;
  switch (e->type->kind) {
    case type_kind::array:
      return new_conversion(e, conversion::decay_to_global,
                            {types_.pointer_to(element_of(e), reach::global), 0});
    case type_kind::void_:
      return e;
    case type_kind::structure:
    case type_kind::union_:
      if (!e->type->record->is_complete) {
        report_.error(e->at, "invalid use of undefined type " + quoted(e->type));
        return error_node(range_of(e));
      }
      break;
    default:
      break;
  }
  return new_conversion(e, conversion::read, {e->type.of, 0});
}

const type* operand_rules::pointer_to_block(const type* t) {
  return is_pointer_to_rows(t) ? types_.pointer_to(t->target->target, reach::spread) : t;
}

// The bits of a pointer to the first row are those of one to the first block.
node* operand_rules::to_first_block(node* e) {
  if (is_global_lvalue(e)) e = new_conversion(e, conversion::read, {e->type.of, 0});
  return new_conversion(e, conversion::reinterpret, {pointer_to_block(e->type.of), 0});
}

const type* operand_rules::value_type(const node* e) {
  switch (e->type->kind) {
    case type_kind::array:
      return types_.pointer_to(element_of(e));
    case type_kind::function:
      return types_.pointer_to({e->type.of, 0});
    default:
      return e->type.of;
  }
}

node* operand_rules::value_of(node* e) {
  e = operand(e);
  if (e->type->kind != type_kind::array && e->type->kind != type_kind::function) return e;
  return new_conversion(e, conversion::decay, {value_type(e), 0});
}

node* operand_rules::truth_of(node* e) {
  e = operand(e);
  const type* t = value_type(e);
  if (is_wide_pointer(t)) return new_conversion(e, conversion::to_truth, {int_type(), 0});
  if (t->kind == type_kind::void_)
    report_.error(e->at, "void value not ignored as it ought to be");
  else if (is_record(t))
    report_.error(e->at, "used " + std::string(t->record->is_union ? "union" : "struct") +
                             " type value where scalar is required");
  else if (t->kind == type_kind::vector)
    report_.error(e->at, "used vector type where scalar is required");
  return e;
}

bool operand_rules::has_value(const node* e) {
  if (e->type->kind != type_kind::void_) return true;
  report_.error(e->at, "void value not ignored as it ought to be");
  return false;
}

// `(void *)0` too (C17 6.3.2.3).
bool operand_rules::is_null_constant(const node* e) const {
  if (e->is_null_constant) return true;
  if (e->kind == node_kind::name && !e->is_constant) return false;
  if (!is_integer(e->type.of)) return false;
  return fold(e) == 0;
}

// A null pointer constant, or one cast to a local pointer: `(node *)0` is on no processor.
bool operand_rules::is_null(const node* e) const {
  e = bare(e);
  if (e->kind != node_kind::cast || !is_pointer(e->type.of, reach::local))
    return is_null_constant(e);
  return is_null(e->children[0]);
}

node* operand_rules::with_view(node* e, const type* pointer) {
  const type* from = value_type(e);
  if (is_wide_pointer(pointer) && !is_wide_pointer(from) && is_null(e))
    return new_conversion(e, conversion::null_to_global, {pointer, 0});
  if (!is_any_pointer(from)) return e;
  const conversion change = change_of_view(from->view, pointer->view);
  if (change == conversion::none) return e;
  return new_conversion(e, change, {types_.pointer_to(from->target, pointer->view), 0});
}

}  // namespace splitcc
