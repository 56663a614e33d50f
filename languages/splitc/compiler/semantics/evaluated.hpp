// SPDX-License-Identifier: Apache-2.0
// Questions about everything that a tree evaluates. The operand of sizeof is not evaluated.
#ifndef SPLITCC_SEMANTICS_EVALUATED_HPP
#define SPLITCC_SEMANTICS_EVALUATED_HPP

#include <string_view>

#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

inline bool is_of_library(const entity* e, std::string_view name) {
  return e && e->is_library && e->name->text == name;
}

// All that is evaluated directly below a node: its children, and the initializers of declarations.
template <class Visit>
void each_part(const node& n, Visit visit) {
  if (n.kind == node_kind::sizeof_expression || n.kind == node_kind::alignof_expression) return;
  for (const node* child : n.children)
    if (child) visit(*child);
  if (n.kind == node_kind::declaration && n.declared)
    for (const declarator_info& d : n.declared->declarators)
      if (d.initializer) visit(*d.initializer);
}

// Of all nodes below and with n.
template <class Test>
bool any_part(const node& n, Test test) {
  if (test(n)) return true;
  bool found = false;
  each_part(n, [&](const node& part) { found = found || any_part(part, test); });
  return found;
}

inline bool mentions_myproc(const node& n) {
  return any_part(n, [](const node& part) {
    return part.kind == node_kind::name && is_of_library(part.referred, "MYPROC");
  });
}

}  // namespace splitcc

#endif
