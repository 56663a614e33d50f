// SPDX-License-Identifier: Apache-2.0
// The expressions that statements test, choose by, and return.
#ifndef SPLITCC_SEMANTICS_STATEMENTS_HPP
#define SPLITCC_SEMANTICS_STATEMENTS_HPP

#include "languages/splitc/compiler/semantics/assignable.hpp"
#include "languages/splitc/compiler/semantics/scopes.hpp"

namespace splitcc {

class statement_rules : private assignment_rules {
 public:
  statement_rules(unit_context& unit, const scope_stack& scopes)
      : assignment_rules(unit), scopes_(scopes) {}

  node* condition(node* e);  // of if, while, do, for: scalar; a wide pointer's truth
  node* switch_value(node* e);
  node* case_value(node* e);  // an integer constant expression; null is left null
  node* return_value(token_range r, node* e);  // the node of the statement; e: or null

 private:
  const scope_stack& scopes_;
};

}  // namespace splitcc

#endif
