// SPDX-License-Identifier: Apache-2.0
// Names and parentheses: what a name stands for as an expression. (C17 6.5.1; GNU: __FUNCTION__,
// built-in functions; gnu89: a call declares its function.)
#include "splitcc/semantics/operands.hpp"
#include "splitcc/semantics/semantics.hpp"

namespace splitcc {

node* semantics::name(token_range r, identifier* name, bool called) {
  entity* e = look_up(name);
  if (!e) e = undeclared(r, name, called);
  if (!e) return error_node(r);
  if (e->kind == entity_kind::typedef_name) {
    report_.error(r.at, "unexpected type name " + quoted(name) + ": expected expression");
    return error_node(r);
  }
  e->is_used = true;
  node* made = new_expression(node_kind::name, r, e->type);
  made->referred = e;
  made->translate = !e->name_in_output.empty();
  if (e->kind == entity_kind::enumerator) {
    made->value = e->value;
    made->is_constant = true;
    made->is_null_constant = e->value == 0;
  } else {
    made->is_lvalue = e->type->kind != type_kind::function && e->kind != entity_kind::builtin;
  }
  return made;
}

// Names that nobody declares. A call of a library function of C gives it its own type, as gcc does;
// one of another function declares `int name()`.
entity* semantics::undeclared(token_range r, identifier* name, bool called) {
  if (entity* e = builtin_named(name)) return e;
  if (entity* e = function_name(name, r.at)) return e;
  if (!called) {
    report_undeclared(r.at, name);
    return nullptr;
  }
  entity* e = declare_implicit_function(name, r.at);
  if (!e->is_implicit || e->at != r.at) return e;  // known from another scope
  if (!options_.gnu89)
    report_.warning(r.at, "implicit-function-declaration",
                    "implicit declaration of function " + quoted(name));
  if (const type* known = library_function_type(name)) e->type = {known, 0};
  return e;
}

void semantics::report_undeclared(token_index at, const identifier* name) {
  if (undeclared_in_ != function_) {
    undeclared_.clear();
    undeclared_in_ = function_;
  }
  if (!undeclared_.insert(name).second) return;
  const char* where = function_ ? " undeclared (first use in this function)"
                                : " undeclared here (not in a function)";
  report_.error(at, quoted(name) + where);
}

// __func__, __FUNCTION__, __PRETTY_FUNCTION__: `static const char []` (C17 6.4.2.2).
entity* semantics::function_name(identifier* name, token_index at) {
  if (name->text != "__func__" && name->text != "__FUNCTION__" &&
      name->text != "__PRETTY_FUNCTION__")
    return nullptr;
  const std::size_t count = function_ && function_->name ? function_->name->text.size() + 1 : 1;
  entity* e = memory_.make<entity>();
  e->name = name;
  e->at = at;
  e->where = storage::static_;
  e->link = linkage::none;
  const qualified_type element = {types_.basic(type_kind::char_), kConst};
  e->type = {types_.array_of(element, bound_kind::constant, count, nullptr), 0};
  e->is_defined = true;
  e->function = function_;
  return e;
}

// ( expression )
node* semantics::parenthesized(token_range r, node* e) {
  node* made = new_expression(node_kind::parenthesized, r, e->type, {e});
  made->place = e->place;
  made->is_lvalue = e->is_lvalue;
  made->is_bit_field = e->is_bit_field;
  made->is_constant = e->is_constant;
  made->is_null_constant = e->is_null_constant;
  made->value = e->value;
  return made;
}

}  // namespace splitcc
