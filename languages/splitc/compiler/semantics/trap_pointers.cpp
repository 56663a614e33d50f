// SPDX-License-Identifier: Apache-2.0
// -Wlocal-pointer-sent: an address of this processor's stack or heap is written, as a local
// pointer, to where another processor owns the memory; there it means something else, or nothing.
// Statics and functions have one address everywhere, and what is one's own may point to one's own.
#include <unordered_map>

#include "languages/splitc/compiler/semantics/traps.hpp"

namespace splitcc {
namespace {

const node* plain(const node* e) {
  const auto passes = [](const node* n) {
    return n->kind == node_kind::parenthesized || n->kind == node_kind::cast ||
           (n->kind == node_kind::convert &&
            (n->converts == conversion::decay || n->converts == conversion::arithmetic));
  };
  while (passes(e)) e = e->children[0];
  return e;
}

bool is_local_pointer(const node& e) {
  return e.type && e.type->kind == type_kind::pointer && e.type->view == reach::local;
}

// The variable of which the local lvalue is a part; null if it is reached by a pointer.
const entity* variable_of(const node* e) {
  e = plain(e);
  while (e->kind == node_kind::member || e->kind == node_kind::index) {
    if (e->kind == node_kind::index && e->children[0]->type->kind != type_kind::array)
      return nullptr;
    e = plain(e->children[0]);
  }
  return e->kind == node_kind::name ? e->referred : nullptr;
}

bool is_on_stack(const entity* e) {
  return e && e->link == linkage::none &&
         (e->kind == entity_kind::parameter ||
          (e->kind == entity_kind::variable &&
           (e->where == storage::automatic || e->where == storage::register_)));
}

bool is_allocation(const node& e) {
  if (e.kind != node_kind::call) return false;
  const entity* f = callee(e);
  if (!f) return false;
  for (const char* name : {"malloc", "calloc", "realloc", "strdup", "alloca", "__builtin_alloca"})
    if (f->name->text == name) return true;
  return false;
}

class pointer_trap {
 public:
  explicit pointer_trap(diagnostics& report) : report_(report) {}

  void find_sets(const node& n);
  void look_at(const node& n);

 private:
  struct setting {
    bool from_own_memory = true;  // by each assignment
    bool from_own_place = false;  // by one: from MYPROC, or from a local pointer made global
  };

  void set(const entity* e, const node& value);
  bool is_own_memory(const node* e) const;
  bool may_be_own_place(const node& place) const;

  diagnostics& report_;
  std::unordered_map<const entity*, setting> settings_;
};

bool comes_from_here(const node& value) {
  return any_part(value, [](const node& n) {
    return (n.kind == node_kind::convert && (n.converts == conversion::local_to_global ||
                                             n.converts == conversion::local_to_spread)) ||
           (n.kind == node_kind::name && is_of_library(n.referred, "MYPROC"));
  });
}

void pointer_trap::set(const entity* e, const node& value) {
  if (!e) return;
  setting& s = settings_[e];
  const node* v = plain(&value);
  const bool address = v->kind == node_kind::unary && v->op == punctuator::ampersand;
  const bool own = is_allocation(*v) || (address && is_on_stack(variable_of(v->children[0])));
  s.from_own_memory &= own;
  s.from_own_place |= comes_from_here(value);
}

void pointer_trap::find_sets(const node& n) {
  if (n.kind == node_kind::assignment) {
    const node* left = plain(n.children[0]);
    if (left->kind == node_kind::name) set(left->referred, *n.children[1]);
  }
  const bool steps = (n.kind == node_kind::unary || n.kind == node_kind::postfix) &&
                     (n.op == punctuator::increment || n.op == punctuator::decrement ||
                      n.op == punctuator::ampersand);
  if (steps) set(variable_of(n.children[0]), n);
  if (n.kind == node_kind::declaration && n.declared)
    for (const declarator_info& d : n.declared->declarators)
      if (d.initializer) set(d.declared, *d.initializer);
  each_part(n, [this](const node& part) { find_sets(part); });
}

bool pointer_trap::is_own_memory(const node* e) const {
  e = plain(e);
  if (is_allocation(*e)) return true;
  if (e->kind == node_kind::unary && e->op == punctuator::ampersand)
    return is_on_stack(variable_of(e->children[0]));
  if (e->kind != node_kind::name || !is_on_stack(e->referred)) return false;
  if (e->type->kind == type_kind::array) return true;
  if (e->referred->kind == entity_kind::parameter) return false;
  const auto known = settings_.find(e->referred);
  return known != settings_.end() && known->second.from_own_memory;
}

bool pointer_trap::may_be_own_place(const node& place) const {
  return any_part(place, [this](const node& n) {
    if (n.kind == node_kind::convert && n.converts == conversion::local_to_global) return true;
    if (n.kind != node_kind::name) return false;
    if (is_of_library(n.referred, "MYPROC")) return true;
    const auto known = settings_.find(n.referred);
    return known != settings_.end() && known->second.from_own_place;
  });
}

void pointer_trap::look_at(const node& n) {
  if (n.kind == node_kind::assignment && n.children[0]->is_lvalue &&
      n.children[0]->place != reach::local && is_local_pointer(*n.children[0])) {
    const node &place = *n.children[0], &value = *n.children[1];
    if (is_own_memory(&value) && !may_be_own_place(place))
      report_.warning(n.at, "local-pointer-sent",
                      "a local pointer is sent to another processor, where it points to other "
                      "memory; a global pointer would keep the processor");
  }
  each_part(n, [this](const node& part) { look_at(part); });
}

}  // namespace

void warn_of_sent_pointers(const node& function, diagnostics& report) {
  pointer_trap trap(report);
  trap.find_sets(function);
  trap.look_at(*function.children.back());
}

}  // namespace splitcc
