// SPDX-License-Identifier: Apache-2.0
// Declarations. One whose declarators C spells alike stays as it is written. Else each declarator
// gets a declaration of its own, printed from its type.
#include <algorithm>

#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {
namespace {

bool is_of_library(const declaration_info& d) {
  return !d.declarators.empty() &&
         std::ranges::all_of(d.declarators, [](const declarator_info& one) {
           return one.declared && one.declared->is_library;
         });
}

}  // namespace

bool emission::declarator_translates(const declarator_info& d) const {
  const entity* e = d.declared;
  if (e && e->kind == entity_kind::function && !e->is_library && !e->name_in_output.empty())
    return has_wide_part(d.type.of);  // main, which keeps its name
  return d.translate || (e && late_.contains(e));
}

bool emission::stays_as_written(const declaration_info& d) const {
  return !d.specifiers_respelled && std::ranges::none_of(d.declarators, [&](const auto& one) {
    return declarator_translates(one);
  });
}

// Variables with the bounds' values stand in front of it; of a parameter, in the body.
bool emission::keeps_bounds(const declarator_info& d) {
  return d.declared && d.declared->kind != entity_kind::parameter && has_wide_part(d.type.of) &&
         is_variably_modified(d.type.of);
}

bool emission::fits_one_declaration(const declaration_info& d) const {
  return stays_as_written(d) ||
         (d.declarators.size() == 1 && d.records.empty() && !keeps_bounds(d.declarators.front()));
}

// specifiers [declarator {, declarator}] ;
void emission::declaration(const node* n) {
  const declaration_info& d = *n->declared;
  if (is_of_library(d)) return;
  if (!stays_as_written(d)) return split_declaration(d);
  specifiers_as_written(d);
  for (const declarator_info& one : d.declarators) {
    out_.text(&one == &d.declarators.front() ? " " : ", ");
    out_.tokens(one.first, one.last);
    initialized(one);
  }
  out_.text(";");
}

void emission::split_declaration(const declaration_info& d) {
  if (!d.records.empty()) definitions_apart(d);
  const specifier_text specifiers = specifiers_apart(d);
  for (const declarator_info& one : d.declarators) {
    if (one.is_superfluous) continue;
    if (&one != &d.declarators.front()) out_.text(" ");
    if (one.declared && one.declared->at != kNoToken && one.first != kNoToken)
      out_.go_forward_to(one.first);
    one_declarator(one, specifiers);
    out_.text(";");
  }
}

void emission::one_declarator(const declarator_info& d, const specifier_text& specifiers) {
  const entity& e = *d.declared;
  if (d.type->kind == type_kind::spread_array && e.kind == entity_kind::variable)
    return spread_array(d, specifiers);
  if (late_.contains(&e)) return out_.text("void *" + std::string(e.name->text));
  if (keeps_bounds(d)) keep_bounds(d.type.of);
  out_.text(specifiers.storage);
  if (!declarator_translates(d)) {
    out_.text(specifiers.storage.empty() ? "" : " ");
    out_.text(specifiers.base.text);
    out_.text(" ");
    out_.tokens(d.first, d.last);
    return initialized(d);
  }
  const std::string name = e.name ? std::string(e.name->text) : std::string();
  const spelled* base = specifiers.base.type ? &specifiers.base : nullptr;
  out_.text(declared(d.type, name, base));
  if (d.width) enclosed(" : ", d.width, "", power::conditional);
  if (d.suffix_first != kNoToken && d.suffix_first < d.last)
    out_.tokens_again(d.suffix_first, d.last);
  initialized(d);
}

void emission::initialized(const declarator_info& d) {
  if (d.initializer) enclosed(" = ", d.initializer, "", power::assignment);
}

// --- Functions -----------------------------------------------------------------------------------

// specifiers declarator kr-declaration* compound-statement
void emission::function(const node* n) {
  const declaration_info& d = *n->declared;
  const declarator_info& one = d.declarators.front();
  if (!stays_as_written(d)) {
    if (!d.records.empty()) definitions_apart(d);
    function_head(n, d, specifiers_apart(d));
  } else {
    if (is_copied(n))
      specifiers_of_copy(d);
    else
      specifiers_as_written(d);
    out_.text(" ");
    out_.tokens(one.first, one.last);
  }
  for (const node* part : n->children) {
    out_.text(" ");
    if (part->kind == node_kind::compound && !is_verbatim(part)) {
      out_.begin(part->first);
      compound(part, one.type.of);
    } else {
      statement(part);
    }
  }
}

void emission::function_head(const node* n, const declaration_info& d,
                             const specifier_text& specifiers) {
  const declarator_info& one = d.declarators.front();
  const type* t = one.type.of;
  if (is_copied(n))
    out_.text(kWordsOfCopy);
  else
    out_.text(specifiers.storage);
  if (!declarator_translates(one)) {
    out_.text(" " + specifiers.base.text + " ");
    return out_.tokens(one.first, one.last);
  }
  const std::string name(one.declared->name->text);
  const spelled* base = specifiers.base.type ? &specifiers.base : nullptr;
  if (t->prototyped)
    out_.text(declared(one.type, name, base));
  else
    out_.text(declared(t->target, name + "(" + parameters(t, true) + ")", base));
  if (one.suffix_first != kNoToken && one.suffix_first < one.last)
    out_.tokens_again(one.suffix_first, one.last);
}

}  // namespace splitcc
