// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/semantics/scopes.hpp"

namespace splitcc {

void scope_stack::enter() {
  ++depth_;
  scope_starts_.push_back(bound_.size());
}

void scope_stack::leave() {
  const std::size_t start = scope_starts_.back();
  scope_starts_.pop_back();
  while (bound_.size() > start) {
    const bound_name last = bound_.back();
    bound_.pop_back();
    binding*& top = last.is_tag ? last.name->tag : last.name->ordinary;
    binding* gone = top;
    top = gone->outer;
    gone->outer = free_bindings_;
    free_bindings_ = gone;
  }
  --depth_;
}

void scope_stack::leave(std::vector<kept_name>& kept) {
  for (std::size_t i = scope_starts_.back(); i < bound_.size(); ++i) {
    identifier* name = bound_[i].name;
    const binding& b = bound_[i].is_tag ? *name->tag : *name->ordinary;
    kept.push_back({name, b.is, b.tagged});
  }
  leave();
}

void scope_stack::enter(std::span<const kept_name> kept) {
  enter();
  for (const kept_name& k : kept) {
    if (k.is) bind(k.name, k.is);
    if (k.tagged) bind_tag(k.name, k.tagged);
  }
}

binding* scope_stack::binding_here(binding*& top, identifier* name, bool is_tag) {
  if (top && top->depth == depth_) return top;
  binding* made = free_bindings_;
  if (made)
    free_bindings_ = made->outer;
  else
    made = memory_.make<binding>();
  *made = {nullptr, nullptr, depth_, top};
  top = made;
  bound_.push_back({name, is_tag});
  return made;
}

void scope_stack::bind(identifier* name, entity* e) {
  binding_here(name->ordinary, name, false)->is = e;
}

void scope_stack::bind_tag(identifier* name, const type* t) {
  binding_here(name->tag, name, true)->tagged = t;
}

entity* scope_stack::look_up(const identifier* name) const {
  return name->ordinary ? name->ordinary->is : nullptr;
}

const type* scope_stack::look_up_tag(const identifier* name) const {
  return name->tag ? name->tag->tagged : nullptr;
}

const type* scope_stack::look_up_tag_here(const identifier* name) const {
  return name->tag && name->tag->depth == depth_ ? name->tag->tagged : nullptr;
}

bool scope_stack::is_typedef_name(const token& t) const {
  if (t.kind != token_kind::identifier) return false;
  const entity* e = look_up(t.name);
  return e && e->kind == entity_kind::typedef_name;
}

}  // namespace splitcc
