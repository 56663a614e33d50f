// SPDX-License-Identifier: Apache-2.0
// Pointers to arrays of variable length that are declared before the lengths are set, as programs
// of the language have them:
//
//     int n; double (*a)[n]; n = 8; a = malloc(...); a[1][2] = 0;
//
// C takes the length when it comes to the declaration; here it is taken at each use: the variable
// is a void pointer in the output, and each use a cast. Only where the length cannot be set yet, so
// that no program of C changes. Of global and spread pointers, which C does not know, a length that
// names a variable of static storage may come later, too.
#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {
namespace {

const type* pointed_to(const type* t) {
  while (is_any_pointer(t)) t = t->target.of;
  return t;
}

// The lengths that a pointer to arrays needs; none for another type.
std::vector<const node*> lengths_of(const type* t) {
  std::vector<const node*> found;
  if (!is_any_pointer(t)) return found;
  for (t = pointed_to(t); t->kind == type_kind::array; t = t->target.of)
    if (t->bound == bound_kind::variable) found.push_back(t->bound_node);
  return found;
}

bool is_automatic(const entity& e) {
  return e.kind == entity_kind::variable && e.link == linkage::none &&
         (e.where == storage::automatic || e.where == storage::register_);
}

bool is_static(const entity& e) {
  return e.kind == entity_kind::variable && !is_automatic(e) && !e.is_library;
}

bool has_candidate(const node* n) {
  if (!n) return false;
  if (n->kind == node_kind::declaration) {
    for (const declarator_info& d : n->declared->declarators)
      if (!d.initializer && d.declared && !lengths_of(d.type.of).empty()) return true;
    return false;
  }
  if (n->kind < node_kind::compound && n->kind != node_kind::statement_expression) return false;
  for (const node* child : n->children)
    if (has_candidate(child)) return true;
  return false;
}

// f(each node below a node), those in declarators included.
template <class F>
void each_below(const node* n, F&& f) {
  for (const node* child : n->children)
    if (child) f(child);
  if (n->kind != node_kind::declaration) return;
  for (const declarator_info& d : n->declared->declarators)
    if (d.initializer) f(d.initializer);
}

bool names_any(const node* n, const std::function<bool(const entity&)>& is_one) {
  if (n->kind == node_kind::name) return n->referred && is_one(*n->referred);
  bool found = false;
  each_below(n, [&](const node* child) { found |= names_any(child, is_one); });
  return found;
}

}  // namespace

// In the order of the text: `unset` are the variables that nothing can have been assigned to yet.
void emission::find_late(const node* n, std::set<const entity*>& unset) {
  if (n->kind == node_kind::name) unset.erase(n->referred);
  each_below(n, [&](const node* child) { find_late(child, unset); });
  if (n->kind != node_kind::declaration) return;
  for (const declarator_info& d : n->declared->declarators) {
    if (!d.declared || !is_automatic(*d.declared) || d.initializer) continue;
    if (is_integer(d.type.of)) unset.insert(d.declared);
    const bool is_wide = is_wide_pointer(d.type.of);
    const auto comes_later = [&](const entity& e) {
      return unset.contains(&e) || (is_wide && is_static(e));
    };
    for (const node* length : lengths_of(d.type.of)) {
      if (!names_any(length, comes_later)) continue;
      late_lengths_.insert(length);
      if (!is_wide) late_.insert(d.declared);
    }
  }
}

// Whether the node has to be written by its parts.
bool emission::mark_late(const node* n) {
  bool found = n->kind == node_kind::name && late_.contains(n->referred);
  if (n->kind == node_kind::declaration)
    for (const declarator_info& d : n->declared->declarators) found |= late_.contains(d.declared);
  each_below(n, [&](const node* child) { found |= mark_late(child); });
  if (found) forced_.insert(n);
  return found;
}

void emission::look_for_late_bounds(const node* function) {
  if (!has_candidate(function->children.back())) return;
  std::set<const entity*> unset;
  find_late(function->children.back(), unset);
  if (!late_.empty()) mark_late(function);
}

// As an lvalue, too.
std::string emission::late_name(const entity& e) {
  return "(*(" + declared({e.type.of, 0}, "*") + ")&" + std::string(e.name->text) + ")";
}

}  // namespace splitcc
