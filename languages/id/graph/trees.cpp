// SPDX-License-Identifier: Apache-2.0
#include "languages/id/graph/trees.hpp"

#include <algorithm>

#include "languages/support/groups.hpp"

namespace idc::graph {
namespace {

using core::binding;
using core::slot;
using op = core::operation;

// A call, and the sides of the choices in which it stands.
struct placed_call {
  struct side {
    const binding* of;
    const core::region* taken;
  };
  const binding* call;
  std::vector<side> sides;

  // Whether at most one of the two is made.
  bool excludes(const placed_call& other) const {
    for (const side& mine : sides)
      for (const side& theirs : other.sides)
        if (mine.of == theirs.of && mine.taken != theirs.taken) return true;
    return false;
  }
};

void find_calls(const core::region& r, const auto& is_such, std::vector<placed_call::side>& sides,
                std::vector<placed_call>& found) {
  for (const binding& b : r.bindings) {
    if (is_such(b)) found.push_back({&b, sides});
    if (b.op != op::choice) continue;
    for (const core::region* side : {b.yes, b.no}) {
      sides.push_back({&b, side});
      find_calls(*side, is_such, sides, found);
      sides.pop_back();
    }
  }
}

// All that slots wait for: structures and closures are there before what they hold.
class origins {
 public:
  explicit origins(const kernel& of) : of_(of) {}
  void add(slot s) {
    if (!slots_.insert(s).second) return;
    if (const binding* b = of_.made(s)) add(*b);
  }
  void add(const binding& b) {
    bindings_.insert(&b);
    if (b.op == op::construct || b.op == op::closure) return;
    for (const slot s : b.operands) add(s);
    if (b.op != op::choice) return;
    for (const core::region* side : {b.yes, b.no})
      for (const binding& inside : side->bindings) add(inside);
  }
  bool contains(const binding& b) const { return bindings_.contains(&b); }
  bool contains(slot s) const { return slots_.contains(s); }

 private:
  const kernel& of_;
  std::unordered_set<slot> slots_;
  std::unordered_set<const binding*> bindings_;
};

// What the call waits for, if it waits for all operands.
origins origins_of(const placed_call& c, const kernel& k) {
  origins all(k);
  for (const slot s : c.call->operands) all.add(s);
  for (const placed_call::side& s : c.sides) all.add(s.of->operands[0]);
  return all;
}

// Whether the call waits for the same one in the round before, by what that gives to the next one.
bool follows_itself(const placed_call& c, const binding& next, const kernel& k) {
  const origins from = origins_of(c, k);
  for (std::size_t i = 0; i < next.operands.size(); ++i) {
    if (!from.contains(k.function().parameters[i])) continue;
    origins given(k);
    given.add(next.operands[i]);
    if (given.contains(*c.call)) return true;
  }
  return false;
}

}  // namespace

call_trees::call_trees(const core::program& of, const kernels& kernel_of) {
  find_groups(of, kernel_of);
  for (const auto& f : of.functions)
    if (!f->is_loop || is_recursive(*f)) find_branches(*f, kernel_of(*f));
}

void call_trees::find_groups(const core::program& of, const kernels& kernel_of) {
  std::vector<std::vector<int>> needs(of.functions.size());
  for (const auto& f : of.functions)
    for (const binding* b : kernel_of(*f).uses())
      needs[f->number].push_back(static_cast<int>(b->callee->number));
  group_.resize(needs.size());
  for (const std::vector<int>& group : frontend::groups_of(needs)) {
    for (const int f : group) group_[static_cast<std::size_t>(f)] = size_of_.size();
    size_of_.push_back(group.size());
  }
}

void call_trees::find_branches(const core::function& f, const kernel& k) {
  const auto is_recursive = [&](const binding& b) {
    return b.op == op::call && group_[b.callee->number] == group_[f.number];
  };
  const auto count = std::count_if(k.uses().begin(), k.uses().end(),
                                   [&](const binding* b) { return is_recursive(*b); });
  if (count < 2) return;
  std::vector<placed_call::side> sides;
  std::vector<placed_call> calls;
  find_calls(*f.body, is_recursive, sides, calls);
  std::vector<origins> from;
  for (const placed_call& c : calls) from.push_back(origins_of(c, k));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const binding& call = *calls[i].call;
    if (call.is_tail || call.callee->is_loop) continue;
    const binding* const next = k.loop() ? k.loop()->next : nullptr;
    bool branches = next && !follows_itself(calls[i], *next, k);
    for (std::size_t j = 0; j < calls.size() && !branches; ++j)
      branches = i != j && !calls[i].excludes(calls[j]) && !from[i].contains(*calls[j].call) &&
                 !from[j].contains(call);
    if (branches) branches_.insert(&call);
  }
}

}  // namespace idc::graph
