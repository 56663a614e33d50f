// SPDX-License-Identifier: Apache-2.0
// -Wcollective-condition: a collective that some processors alone come to: a call, or an automatic
// spread array. A condition depends on the processor if it mentions MYPROC, or a variable that is
// set once, from MYPROC. Where both branches of an `if` call the same collectives all come to them.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "languages/splitc/compiler/semantics/traps.hpp"

namespace splitcc {
namespace {

bool is_collective(const entity* f) {
  return f && f->is_library && f->kind == entity_kind::function &&
         (f->name->text == "barrier" || f->name->text.starts_with("all_"));
}

bool is_collective_call(const node& n) {
  return n.kind == node_kind::call && is_collective(callee(n));
}

// All processors take the room for it from the stack that is the same on all.
bool is_automatic_spread_array(const declarator_info& d) {
  return d.declared && d.declared->where == storage::automatic &&
         d.declared->type->kind == type_kind::spread_array;
}

bool declares_spread_arrays(const node& n) {
  return n.kind == node_kind::declaration && n.declared &&
         std::ranges::any_of(n.declared->declarators, is_automatic_spread_array);
}

const entity* variable(const node* e) {
  while (e->kind == node_kind::parenthesized) e = e->children[0];
  return e->kind == node_kind::name ? e->referred : nullptr;
}

class collective_trap {
 public:
  explicit collective_trap(diagnostics& report) : report_(report) {}

  void find_sets(const node& n);
  void look_at(const node& n);

 private:
  using names = std::vector<std::string_view>;
  struct setting {
    int times = 0;
    bool from_myproc = false;
  };

  void set(const entity* e, const node& value);
  bool depends(const node& condition) const;
  bool branches_agree(const node& n) const;
  bool leaves_alone(const node& n) const;
  static void collectives(const node& n, names& into);
  void under(const node& condition, const node& part);
  void warn(token_index at, const std::string& what);
  void look_at_one(const node& n);
  void look_at_block(const node& block);
  void look_at_for(const node& n);

  diagnostics& report_;
  std::unordered_map<const entity*, setting> settings_;
  std::vector<token_index> conditions_;  // on MYPROC, those that hold here
};

void collective_trap::set(const entity* e, const node& value) {
  if (!e) return;
  setting& s = settings_[e];
  ++s.times;
  // A reduction is the same everywhere; so may be what a function of the program returns.
  const bool calls = any_part(value, [](const node& n) { return n.kind == node_kind::call; });
  s.from_myproc = !calls && mentions_myproc(value);
}

void collective_trap::find_sets(const node& n) {
  if (n.kind == node_kind::assignment) set(variable(n.children[0]), *n.children[1]);
  const bool steps = (n.kind == node_kind::unary || n.kind == node_kind::postfix) &&
                     (n.op == punctuator::increment || n.op == punctuator::decrement ||
                      n.op == punctuator::ampersand);
  if (steps) set(variable(n.children[0]), n);
  if (n.kind == node_kind::declaration && n.declared)
    for (const declarator_info& d : n.declared->declarators)
      if (d.initializer) set(d.declared, *d.initializer);
  each_part(n, [this](const node& part) { find_sets(part); });
}

// The result of a collective is the same everywhere, whatever goes into it.
bool collective_trap::depends(const node& condition) const {
  if (condition.kind == node_kind::call && is_collective(callee(condition))) return false;
  if (condition.kind == node_kind::name) {
    if (is_of_library(condition.referred, "MYPROC")) return true;
    const auto known = settings_.find(condition.referred);
    return known != settings_.end() && known->second.times == 1 && known->second.from_myproc;
  }
  bool found = false;
  each_part(condition, [&](const node& part) { found = found || depends(part); });
  return found;
}

void collective_trap::collectives(const node& n, names& into) {
  const bool forks = n.kind == node_kind::if_ || n.kind == node_kind::conditional;
  if (forks && n.children[1] && n.children[2]) {
    names then, otherwise;
    collectives(*n.children[0], into);
    collectives(*n.children[1], then);
    collectives(*n.children[2], otherwise);
    into.insert(into.end(), then.begin(), then.end());
    if (then == otherwise) return;
    into.emplace_back("|");
    into.insert(into.end(), otherwise.begin(), otherwise.end());
    return;
  }
  if (is_collective_call(n)) into.push_back(callee(n)->name->text);
  if (declares_spread_arrays(n)) into.emplace_back("::");
  each_part(n, [&into](const node& part) { collectives(part, into); });
}

bool collective_trap::branches_agree(const node& n) const {
  names then, otherwise;
  if (n.children[1]) collectives(*n.children[1], then);
  if (n.children[2]) collectives(*n.children[2], otherwise);
  return then == otherwise;
}

bool ends_with_return(const node* last) {
  while (last && last->kind == node_kind::compound && !last->children.empty())
    last = last->children.back();
  return last && last->kind == node_kind::return_;
}

// `if (MYPROC) return;`, `on_one return;`: what follows in the block is for the others.
bool collective_trap::leaves_alone(const node& n) const {
  return n.kind == node_kind::if_ && depends(*n.children[0]) &&
         ends_with_return(n.children[1]) != ends_with_return(n.children[2]);
}

void collective_trap::under(const node& condition, const node& part) {
  conditions_.push_back(condition.at == kNoToken ? condition.first : condition.at);
  look_at(part);
  conditions_.pop_back();
}

void collective_trap::look_at_block(const node& block) {
  const std::size_t outside = conditions_.size();
  for (const node* item : block.children) {
    if (!item) continue;
    look_at(*item);
    if (leaves_alone(*item)) conditions_.push_back(item->children[0]->at);
  }
  conditions_.resize(outside);
}

// for (i = MYPROC; i < n; i += PROCS): not all go round as often.
void collective_trap::look_at_for(const node& n) {
  const node *start = n.children[0], *test = n.children[1];
  const bool by_start = start && mentions_myproc(*start);
  const bool by_test = test && depends(*test);
  if (!by_start && !by_test) {
    each_part(n, [this](const node& part) { look_at(part); });
    return;
  }
  if (start) look_at(*start);
  under(by_start ? *start : *test, *n.children[3]);
}

void collective_trap::warn(token_index at, const std::string& what) {
  report_.warning(
      at, "collective-condition",
      "not every processor may come to " + what + ": a condition on MYPROC stands before it");
  report_.note(conditions_.back(), "the condition is here");
}

// A collective, if it is one.
void collective_trap::look_at_one(const node& n) {
  if (conditions_.empty()) return;
  if (is_collective_call(n))
    warn(n.at, "the collective '" + std::string(callee(n)->name->text) + "'");
  if (!declares_spread_arrays(n)) return;
  for (const declarator_info& d : n.declared->declarators)
    if (is_automatic_spread_array(d))
      warn(d.declared->at, "the spread array '" + std::string(d.declared->name->text) + "'");
}

void collective_trap::look_at(const node& n) {
  switch (n.kind) {
    case node_kind::compound:
      look_at_block(n);
      return;
    case node_kind::for_:
      look_at_for(n);
      return;
    case node_kind::if_:
    case node_kind::conditional:
      if (!depends(*n.children[0]) || branches_agree(n)) break;
      look_at(*n.children[0]);
      if (n.children[1]) under(*n.children[0], *n.children[1]);
      if (n.children[2]) under(*n.children[0], *n.children[2]);
      return;
    case node_kind::binary:
      if (n.op != punctuator::logical_and && n.op != punctuator::logical_or) break;
      if (!depends(*n.children[0])) break;
      look_at(*n.children[0]);
      under(*n.children[0], *n.children[1]);
      return;
    case node_kind::while_:
    case node_kind::switch_:
      if (!depends(*n.children[0])) break;
      under(*n.children[0], *n.children[1]);
      return;
    default:
      break;
  }
  look_at_one(n);
  each_part(n, [this](const node& part) { look_at(part); });
}

}  // namespace

void warn_of_lonely_collectives(const node& function, diagnostics& report) {
  const auto is_one = [](const node& n) {
    return is_collective_call(n) || declares_spread_arrays(n);
  };
  if (!any_part(function, is_one)) return;
  collective_trap trap(report);
  trap.find_sets(function);
  trap.look_at(*function.children.back());
}

}  // namespace splitcc
