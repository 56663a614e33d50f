// SPDX-License-Identifier: Apache-2.0
// The expressions that statements test, choose by, and return. (C17 6.8.)
#include "languages/splitc/compiler/semantics/statements.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

node* statement_rules::condition(node* e) { return truth_of(value_of(e)); }

node* statement_rules::switch_value(node* e) {
  e = value_of(e);
  if (is_unknown(e->type.of) || is_integer(e->type.of)) return e;
  report_.error(e->at, "switch quantity not an integer");
  return error_node(range_of(e));
}

// What we cannot fold the C compiler may; it judges those that are its own words.
node* statement_rules::case_value(node* e) {
  if (!e) return nullptr;
  e = value_of(e);
  if (const auto value = fold(e)) {
    e->is_constant = true;
    e->value = *value;
  } else if (e->translate) {
    report_.error(e->at, "case label does not reduce to an integer constant");
  }
  return e;
}

node* statement_rules::return_value(token_range r, node* e) {
  if (!e || !scopes_.function()) return new_node(node_kind::return_, r, {e});
  const qualified_type result = scopes_.function()->type->kind == type_kind::function
                                    ? scopes_.function()->type->target
                                    : qualified_type{unknown_type(), 0};
  if (result->kind != type_kind::void_) {
    assigned_as use;
    use.as = assigned_as::use::return_;
    return new_node(node_kind::return_, r, {convert_for(e, {result.of, 0}, use)});
  }
  e = value_of(e);
  if (e->type->kind != type_kind::void_ && !is_unknown(e->type.of)) {
    report_.warning(e->at, "return-type", "'return' with a value, in function returning void");
    report_.note(scopes_.function()->at, "declared here");
  }
  return new_node(node_kind::return_, r, {e});
}

}  // namespace splitcc
