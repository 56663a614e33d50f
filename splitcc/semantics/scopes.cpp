// SPDX-License-Identifier: Apache-2.0
// Scopes: each identifier carries its innermost binding, so looking a name up is one load; leaving
// a scope takes off the bindings made in it. Labels live as long as their function.
#include "splitcc/semantics/semantics.hpp"

namespace splitcc {

semantics::semantics(arena& memory, identifier_table& identifiers, const token_list& tokens,
                     diagnostics& report, language_options options)
    : memory_(memory),
      identifiers_(identifiers),
      tokens_(tokens),
      report_(report),
      options_(options),
      types_(memory) {
  if (options_.plain_char_is_unsigned) types_.make_char_unsigned();
}

void semantics::enter_scope() {
  ++depth_;
  scope_starts_.push_back(bound_.size());
}

void semantics::leave_scope() {
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
  while (!block_labels_.empty() && block_labels_.back().depth == depth_) {
    check_label(*block_labels_.back().target);
    block_labels_.pop_back();
  }
  --depth_;
}

void semantics::leave_scope(std::vector<kept_name>& kept) {
  for (std::size_t i = scope_starts_.back(); i < bound_.size(); ++i) {
    identifier* name = bound_[i].name;
    const binding& b = bound_[i].is_tag ? *name->tag : *name->ordinary;
    kept.push_back({name, b.is, b.tagged});
  }
  leave_scope();
}

void semantics::enter_scope(std::span<const kept_name> kept) {
  enter_scope();
  for (const kept_name& k : kept) {
    if (k.is) bind(k.name, k.is);
    if (k.tagged) bind_tag(k.name, k.tagged);
  }
}

binding* semantics::binding_here(binding*& top, identifier* name, bool is_tag) {
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

void semantics::bind(identifier* name, entity* e) {
  binding_here(name->ordinary, name, false)->is = e;
}

void semantics::bind_tag(identifier* name, const type* t) {
  binding_here(name->tag, name, true)->tagged = t;
}

entity* semantics::look_up(const identifier* name) const {
  return name->ordinary ? name->ordinary->is : nullptr;
}

const type* semantics::look_up_tag(const identifier* name) const {
  return name->tag ? name->tag->tagged : nullptr;
}

const type* semantics::look_up_tag_here(const identifier* name) const {
  return name->tag && name->tag->depth == depth_ ? name->tag->tagged : nullptr;
}

bool semantics::is_typedef_name(const token& t) const {
  if (t.kind != token_kind::identifier) return false;
  const entity* e = look_up(t.name);
  return e && e->kind == entity_kind::typedef_name;
}

void semantics::enter_function(entity* function) {
  function_ = function;
  forget_labels();
  if (options_.gnu89_inline && is_for_inlining_alone(*function)) return;  // a real one may follow
  if (function->is_defined) report_redefinition(*function);
  function->is_defined = true;
  function->defined_at = function->at;
}

void semantics::leave_function() {
  for (const label_target* l : labels_) check_label(*l);
  forget_labels();
  function_ = nullptr;
}

void semantics::forget_labels() {
  labels_.clear();
  labels_by_name_.clear();
  block_labels_.clear();
}

void semantics::check_label(const label_target& l) {
  if (!l.is_defined) report_.error(l.at, "label " + quoted(l.name) + " used but not defined");
}

label_target* semantics::label(identifier* name, token_index at, bool defines) {
  label_target* found = nullptr;
  for (auto l = block_labels_.rbegin(); l != block_labels_.rend() && !found; ++l)
    if (l->target->name == name) found = l->target;
  if (!found) {
    label_target*& known = labels_by_name_[name];
    if (!known) {
      known = memory_.make<label_target>(label_target{name, at});
      labels_.push_back(known);
    }
    found = known;
  }
  if (defines && found->is_defined) {
    report_.error(at, "duplicate label " + quoted(name));
    report_.note(found->at, "previous definition of " + quoted(name));
  }
  if (defines) {
    found->is_defined = true;
    found->at = at;
  } else {
    found->is_used = true;
  }
  return found;
}

void semantics::declare_local_label(identifier* name, token_index at) {
  label_target* made = memory_.make<label_target>(label_target{name, at});
  block_labels_.push_back({made, depth_});
}

}  // namespace splitcc
