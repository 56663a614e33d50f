// SPDX-License-Identifier: Apache-2.0
// Functions that are called before they are declared and turn out to be static, or not to return
// int. gcc of old took that with a warning; C of today wants them declared ahead.
#include <utility>

#include "languages/splitc/compiler/emit/emission.hpp"

namespace splitcc {
namespace {

// It can be named before any declaration of the program.
bool is_known_ahead(const type* t) {
  if (is_wide_pointer(t)) return true;
  if (is_any_pointer(t)) return is_known_ahead(t->target.of);
  return t->kind == type_kind::void_ || is_integer(t) ? t->kind != type_kind::enumeration
                                                      : is_floating(t);
}

bool parameters_are_known(const type* function) {
  for (const parameter& p : function->parameters)
    if (!is_known_ahead(p.type.of)) return false;
  return true;
}

}  // namespace

// Declares a function ahead of everything, where its first declaration or definition is.
void emission::look_for_early_calls(const node& n) {
  if (n.kind != node_kind::function_definition && n.kind != node_kind::declaration) return;
  for (const declarator_info& d : n.declared->declarators) {
    const entity* e = d.declared;
    if (!e || e->kind != entity_kind::function || e->is_library || !e->called_too_early) continue;
    function_facts& facts = functions_[e->name];
    if (!std::exchange(facts.is_declared_ahead, true)) declare_ahead(*e);
  }
}

void emission::declare_ahead(const entity& function) {
  if (!is_known_ahead(function.type.of->target.of)) return;
  if (function.link == linkage::internal || functions_[function.name].is_copied())
    ahead_ += "static ";
  ahead_ += plain_declaration(function) + ";\n";
}

// Without its parameters where they may be of types that only later declarations define.
std::string emission::plain_declaration(const entity& function) {
  const type* t = function.type.of;
  const std::string name(function.name->text);
  return parameters_are_known(t) ? declared(function.type, name) : declared(t->target, name + "()");
}

}  // namespace splitcc
