// SPDX-License-Identifier: Apache-2.0
// Names as expressions, and parentheses.
#ifndef SPLITCC_SEMANTICS_NAMES_HPP
#define SPLITCC_SEMANTICS_NAMES_HPP

#include <unordered_map>
#include <unordered_set>

#include "languages/splitc/compiler/semantics/builtins.hpp"
#include "languages/splitc/compiler/semantics/declarations.hpp"

namespace splitcc {

class name_rules : private node_maker {
 public:
  name_rules(unit_context& unit, scope_stack& scopes, declaration_rules& declarations)
      : node_maker(unit), scopes_(scopes), declarations_(declarations), builtins_(unit) {}

  // `called`: a `(` follows; an undeclared name becomes a function then.
  node* name(token_range r, identifier* name, bool called);
  node* parenthesized(token_range r, node* e);

 private:
  entity* undeclared(token_range r, identifier* name, bool called);
  void report_undeclared(token_index at, const identifier* name);
  bool is_of_library_only(const identifier* name) const;
  void note_header(token_index at, const identifier* name);
  entity* function_name(identifier* name, token_index at);

  scope_stack& scopes_;
  declaration_rules& declarations_;
  builtin_functions builtins_;
  bool header_is_noted_ = false;
  std::unordered_set<const identifier*> undeclared_;  // reported in undeclared_in_
  const entity* undeclared_in_ = nullptr;
};

}  // namespace splitcc

#endif
