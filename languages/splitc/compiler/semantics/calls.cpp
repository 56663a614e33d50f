// SPDX-License-Identifier: Apache-2.0
// Calls. (C17 6.5.2.2.) Arguments are converted to the parameters' types where a prototype is in
// scope; else, and behind `...`, they are passed as they are: a global or spread pointer as its 64
// bits.
#include "languages/splitc/compiler/semantics/calls.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

node* call_rules::new_call(token_range r, qualified_type t, node* f,
                           std::span<node* const> arguments) {
  call_children_.clear();
  call_children_.push_back(f);
  call_children_.insert(call_children_.end(), arguments.begin(), arguments.end());
  node* made = make(node_kind::call, r, call_children_);
  made->type = t;
  return made;
}

node* call_rules::default_promoted(node* argument) {
  argument = operand(argument);
  if (argument->type->kind == type_kind::void_)
    report_.error(argument->at, "invalid use of void expression");
  return argument;
}

// Reports a count that the prototype does not allow.
bool call_rules::is_count_right(token_range r, const node* f, const type* t, std::size_t count) {
  const std::size_t wanted = t->parameters.size();
  if (count == wanted || (count > wanted && t->variadic)) return true;
  const entity* e = named_by(f);
  const std::string text = std::string(count < wanted ? "too few" : "too many") +
                           " arguments to function '" + text_of(f) + "'";
  if (e && e->is_implicit) {
    report_.warning(r.at, "implicit-function-declaration", text);
    return true;
  }
  report_.error(r.at, text);
  if (e && e->at != kNoToken) report_.note(e->at, "declared here");
  return false;
}

// The types that a definition of the old style gives are not checked; they decide how pointers of
// different views arrive.
node* call_rules::passed(node* argument, const type* f, const node* name, std::size_t position) {
  if (position > f->parameters.size()) return default_promoted(argument);
  const qualified_type to = f->parameters[position - 1].type;
  assigned_as use;
  use.as = assigned_as::use::argument;
  use.function = name;
  use.position = position;
  if (f->prototyped) return convert_for(argument, {to.of, 0}, use);
  argument = default_promoted(argument);
  const bool pointers = is_any_pointer(to.of) && is_any_pointer(value_type(argument));
  return pointers ? with_view(argument, pointer_to_block(to.of)) : argument;
}

// postfix-expression ( [argument-expression-list] )
node* call_rules::call(token_range r, node* f, std::span<node* const> arguments) {
  if (const entity* named = named_by(f)) {
    if (named->kind == entity_kind::builtin) return call_of_builtin(r, f, arguments);
    if (named->is_library)
      if (node* special = call_of_library(r, f, arguments)) return special;
  }
  node* const written = f;
  f = operand(f);
  const type* t = value_type(f);
  if (is_wide_pointer(t) && t->target->kind == type_kind::function) {
    f = with_view(f, types_.pointer_to(t->target));
    t = value_type(f);
  }
  const bool is_function = is_any_pointer(t) && t->target->kind == type_kind::function;
  if (!is_function && !is_unknown(t)) {
    report_.error(r.at,
                  "called object '" + text_of(written) + "' is not a function or function pointer");
    return error_node(r);
  }
  call_children_.clear();
  call_children_.push_back(f);
  if (!is_function) {
    for (node* argument : arguments) call_children_.push_back(default_promoted(argument));
  } else {
    t = t->target.of;
    if (t->prototyped && !is_count_right(r, written, t, arguments.size())) return error_node(r);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      call_children_.push_back(passed(arguments[i], t, written, i + 1));
    const type* result = t->target.of;
    if (is_record(result) && !is_complete(result))
      report_.error(r.at, "invalid use of undefined type " + quoted({result, 0}));
  }
  node* made = make(node_kind::call, r, call_children_);
  made->type = {is_function ? t->target.of : unknown_type(), 0};
  return made;
}

}  // namespace splitcc
