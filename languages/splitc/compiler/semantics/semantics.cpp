// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/semantics/semantics.hpp"

namespace splitcc {

void semantics::leave_scope() {
  labels.leave_block(scopes.depth());
  scopes.leave();
}

void semantics::leave_scope(std::vector<kept_name>& kept) {
  labels.leave_block(scopes.depth());
  scopes.leave(kept);
}

void semantics::declare_local_label(identifier* name, token_index at) {
  labels.declare_local(name, at, scopes.depth());
}

void semantics::enter_function(entity* function) {
  scopes.set_function(function);
  labels.forget();
  declarations.begin_body(function);
}

void semantics::leave_function() {
  labels.leave_function();
  scopes.set_function(nullptr);
}

node* semantics::unary(token_range r, punctuator op, node* e) {
  switch (op) {
    case punctuator::star:
      return references.dereference(r, e);
    case punctuator::ampersand:
      return references.address_of(r, e);
    case punctuator::exclamation:
      return operators.logical_not(r, e);
    case punctuator::increment:
    case punctuator::decrement:
      return assignments.step(node_kind::unary, r, op, e);
    default:
      return operators.sign_or_complement(r, op, e);
  }
}

// ( type-name ) { initializer-list }
node* semantics::compound_literal(token_range r, written_type* of, node* initializer) {
  const qualified_type t = initializers.initialize_type(of->type, initializer, scopes.depth() == 0);
  node* made = new_expression(node_kind::compound_literal, r, t, {initializer});
  made->written = of;
  made->is_lvalue = true;
  made->translate |= of->translate;
  return made;
}

}  // namespace splitcc
