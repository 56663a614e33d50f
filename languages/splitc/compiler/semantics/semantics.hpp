// SPDX-License-Identifier: Apache-2.0
// The meaning of what the parser has read: names to entities, types to expressions, implied
// conversions, constants. The parser calls one function of a part for each production; each
// returns a typed node, and for what is wrong reports it and returns a node of the error type.
// Every node is given its tokens: [first, last) and where errors point.
//
// The functions set node::translate: for names that the output calls otherwise, for everything
// that touches a global lvalue or a global or spread pointer in a way that C does not say by the
// same words, and for every node that has a child with it set.
//
// Layers: node_maker makes nodes; operand_rules knows values; assignment_rules and pair_rules know
// conversions. The parts derive from the layer that they need, and share the unit_context.
#ifndef SPLITCC_SEMANTICS_SEMANTICS_HPP
#define SPLITCC_SEMANTICS_SEMANTICS_HPP

#include <span>
#include <vector>

#include "languages/splitc/compiler/semantics/assignments.hpp"
#include "languages/splitc/compiler/semantics/calls.hpp"
#include "languages/splitc/compiler/semantics/casts.hpp"
#include "languages/splitc/compiler/semantics/conditionals.hpp"
#include "languages/splitc/compiler/semantics/declarations.hpp"
#include "languages/splitc/compiler/semantics/generic.hpp"
#include "languages/splitc/compiler/semantics/initializers.hpp"
#include "languages/splitc/compiler/semantics/labels.hpp"
#include "languages/splitc/compiler/semantics/literals.hpp"
#include "languages/splitc/compiler/semantics/names.hpp"
#include "languages/splitc/compiler/semantics/operators.hpp"
#include "languages/splitc/compiler/semantics/records.hpp"
#include "languages/splitc/compiler/semantics/references.hpp"
#include "languages/splitc/compiler/semantics/scopes.hpp"
#include "languages/splitc/compiler/semantics/sizes.hpp"
#include "languages/splitc/compiler/semantics/statements.hpp"

namespace splitcc {

class semantics : public operand_rules {
 public:
  explicit semantics(unit_context& unit)
      : operand_rules(unit),
        scopes(unit.memory),
        labels(unit),
        initializers(unit),
        records(unit),
        declarations(unit, scopes, initializers),
        literals(unit),
        names(unit, scopes, declarations),
        references(unit),
        operators(unit),
        assignments(unit),
        conditionals(unit),
        casts(unit),
        sizes(unit),
        selections(unit),
        calls(unit),
        statements(unit, scopes) {}
  semantics(const semantics&) = delete;
  semantics& operator=(const semantics&) = delete;

  // Of names and labels (scopes.hpp).
  void leave_scope();
  void leave_scope(std::vector<kept_name>& kept);
  void declare_local_label(identifier* name, token_index at);
  // The function's parameters are declared by the caller, in the scope that it has entered.
  void enter_function(entity* function);
  void leave_function();  // checks the labels

  // Expressions of more than one part.
  node* unary(token_range r, punctuator op, node* e);
  node* compound_literal(token_range r, written_type* of, node* initializer);

  scope_stack scopes;
  label_table labels;
  initializer_rules initializers;
  record_rules records;
  declaration_rules declarations;
  literal_rules literals;
  name_rules names;
  reference_rules references;
  operator_rules operators;
  assignment_operators assignments;
  conditional_rules conditionals;
  cast_rules casts;
  size_rules sizes;
  selection_rules selections;
  call_rules calls;
  statement_rules statements;
};

}  // namespace splitcc

#endif
