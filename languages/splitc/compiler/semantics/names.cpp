// SPDX-License-Identifier: Apache-2.0
// Names and parentheses: what a name stands for as an expression. (C17 6.5.1; GNU: __FUNCTION__,
// built-in functions; gnu89: a call declares its function.)
#include <algorithm>
#include <iterator>
#include <utility>

#include "languages/splitc/compiler/semantics/names.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

node* name_rules::name(token_range r, identifier* name, bool called) {
  entity* e = scopes_.look_up(name);
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
entity* name_rules::undeclared(token_range r, identifier* name, bool called) {
  if (entity* e = builtins_.named(name)) return e;
  if (entity* e = function_name(name, r.at)) return e;
  if (!called) {
    report_undeclared(r.at, name);
    return nullptr;
  }
  entity* e = declarations_.declare_implicit_function(name, r.at);
  if (!e->is_implicit || e->at != r.at) return e;  // known from another scope
  const bool of_library = is_of_library_only(name);
  if (!options_.gnu89 || of_library)
    report_.warning(r.at, "implicit-function-declaration",
                    "implicit declaration of function " + quoted(name));
  if (of_library) note_header(r.at, name);
  if (const type* known = builtins_.library_function_type(name)) e->type = {known, 0};
  return e;
}

void name_rules::report_undeclared(token_index at, const identifier* name) {
  if (undeclared_in_ != scopes_.function()) {
    undeclared_.clear();
    undeclared_in_ = scopes_.function();
  }
  if (!undeclared_.insert(name).second) return;
  const char* where = scopes_.function() ? " undeclared (first use in this function)"
                                         : " undeclared here (not in a function)";
  report_.error(at, quoted(name) + where);
  if (is_of_library_only(name)) note_header(at, name);
}

// Names that hardly any program has of its own, but by <split-c/split-c.h>.
bool name_rules::is_of_library_only(const identifier* name) const {
  static constexpr std::string_view kNames[] = {
      "MYPROC",         "PROCS",    "PROCSLOG", "all_spread_free", "all_spread_malloc",
      "all_store_sync", "toglobal", "tolocal",  "toproc"};
  return options_.splitc && std::ranges::find(kNames, name->text) != std::end(kNames);
}

void name_rules::note_header(token_index at, const identifier* name) {
  if (std::exchange(header_is_noted_, true)) return;
  report_.note(at, quoted(name) + " is declared in <split-c/split-c.h>: include it");
}

// __func__, __FUNCTION__, __PRETTY_FUNCTION__: `static const char []` (C17 6.4.2.2).
entity* name_rules::function_name(identifier* name, token_index at) {
  if (name->text != "__func__" && name->text != "__FUNCTION__" &&
      name->text != "__PRETTY_FUNCTION__")
    return nullptr;
  const std::size_t count = scopes_.function() && scopes_.function()->name
                                ? scopes_.function()->name->text.size() + 1
                                : 1;
  entity* e = memory_.make<entity>();
  e->name = name;
  e->at = at;
  e->where = storage::static_;
  e->link = linkage::none;
  const qualified_type element = {types_.basic(type_kind::char_), kConst};
  e->type = {types_.array_of(element, bound_kind::constant, count, nullptr), 0};
  e->is_defined = true;
  e->function = scopes_.function();
  return e;
}

// ( expression )
node* name_rules::parenthesized(token_range r, node* e) {
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
