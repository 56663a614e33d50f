// SPDX-License-Identifier: Apache-2.0
#include "papers/study/machine/placement.hpp"

#include <algorithm>

namespace study {

using tl0::opcode;
using tl0::operand;

index last_control(const tl0::program& p, index thread) {
  const tl0::range code = p.threads[thread].code.instructions;
  if (code.count < 2) return kNone;
  const opcode op = p.instructions[code.end() - 2].op;
  const bool is_control = op == opcode::fork || op == opcode::again || op == opcode::choose_thread;
  return is_control ? code.end() - 2 : kNone;
}

placement::placement(const tl0::program& p, discipline how)
    : p_(p),
      placed_(p.threads.size()),
      sites_(p.threads.size()),
      only_inlet_(p.threads.size(), kNone),
      ends_empty_(p.threads.size()),
      pushes_(p.threads.size()),
      has_loops_(p.blocks.size()),
      ends_activation_(p.threads.size()),
      users_(p.slots.size()),
      changed_by_inlets_(p.slots.size()) {
  find_sites();
  find_users();
  if (how == discipline::md) {
    for (index t = 0; t < p.threads.size(); ++t)
      if (p.threads[t].entry_count == 1 && sites_[t].size() == 1 && sites_[t][0].is_inlet &&
          p.inlets[sites_[t][0].from].posts.count == 1)
        only_inlet_[t] = sites_[t][0].from;
    find_empty_ends();
  }
  for (index b = 0; b < p.blocks.size(); ++b) place_block(b, how);
}

void placement::find_sites() {
  for (index t = 0; t < p_.threads.size(); ++t) {
    const tl0::range code = p_.threads[t].code.instructions;
    const index last = last_control(p_, t);
    for (index at = code.first; at < code.end(); ++at) {
      const tl0::instruction& it = p_.instructions[at];
      ends_activation_[t] = ends_activation_[t] || it.op == opcode::ffree;
      has_loops_[p_.threads[t].block] = has_loops_[p_.threads[t].block] || it.op == opcode::again;
      if (it.op != opcode::fork && it.op != opcode::again && it.op != opcode::choose_thread)
        continue;
      if (at != last) pushes_[t] = true;
      for (const index to : {it.target, it.op == opcode::choose_thread ? it.other : kNone})
        if (to != kNone) sites_[to].push_back({t, false, at == last});
    }
  }
  for (index i = 0; i < p_.inlets.size(); ++i) {
    const tl0::range posts = p_.inlets[i].posts;
    for (index k = posts.first; k < posts.end(); ++k)
      sites_[p_.posts[k]].push_back({i, true, posts.count == 1});
  }
}

void placement::use(index block, operand o, index by) {
  if (!o.is_slot()) return;
  std::vector<index>& users = users_[p_.blocks[block].slots.first + o.at()];
  if (users.empty() || users.back() != by) users.push_back(by);
}

void placement::find_users() {
  const auto use_body = [this](index block, const tl0::body& code, index by) {
    for (index at = code.instructions.first; at < code.instructions.end(); ++at) {
      const tl0::instruction& it = p_.instructions[at];
      for (const operand o : {it.to, it.a, it.b}) use(block, o, by);
      for (index k = 0; k < it.argument_count; ++k)
        use(block, p_.arguments[it.first_argument + k], by);
    }
  };
  for (index t = 0; t < p_.threads.size(); ++t)
    use_body(p_.threads[t].block, p_.threads[t].code, t);
  for (index i = 0; i < p_.inlets.size(); ++i) {
    const tl0::inlet& in = p_.inlets[i];
    const index by = index(p_.threads.size()) + i;
    use_body(in.block, in.code, by);
    for (index k = 0; k < in.parameters.count; ++k)
      use(in.block, p_.parameters[in.parameters.first + k].to, by);
    if (in.counter != kNone) {
      changed_by_inlets_[in.counter] = true;
      users_[in.counter].push_back(by);
    }
    for (index at = in.code.instructions.first; at < in.code.instructions.end(); ++at)
      if (p_.instructions[at].to.is_slot())
        changed_by_inlets_[p_.blocks[in.block].slots.first + p_.instructions[at].to.at()] = true;
  }
}

bool placement::is_private(index block, index slot, index thread) const {
  const index inlet = index(p_.threads.size()) + only_inlet_[thread];
  const std::vector<index>& users = users_[p_.blocks[block].slots.first + slot];
  return std::all_of(users.begin(), users.end(),
                     [=](index by) { return by == thread || by == inlet; });
}

bool placement::is_changed_by_inlets(index block, index slot) const {
  return changed_by_inlets_[p_.blocks[block].slots.first + slot];
}

// All who enable the thread jump to it with an empty vector, and it pushes nothing.
void placement::find_empty_ends() {
  for (index t = 0; t < p_.threads.size(); ++t) ends_empty_[t] = !sites_[t].empty() && !pushes_[t];
  for (bool changes = true; changes;) {
    changes = false;
    for (index t = 0; t < p_.threads.size(); ++t) {
      const bool holds =
          ends_empty_[t] && std::all_of(sites_[t].begin(), sites_[t].end(), [this](const site& s) {
            return s.is_jump && (s.is_inlet || ends_empty_[s.from]);
          });
      changes |= holds != ends_empty_[t];
      ends_empty_[t] = holds;
    }
  }
}

// The thread that this one ends with, if it has no place yet.
index placement::follower(index thread) const {
  const index at = last_control(p_, thread);
  if (at == kNone) return kNone;
  const tl0::instruction& it = p_.instructions[at];
  const auto is_free = [this](index t) { return t != kNone && !placed_[t]; };
  if (it.op == opcode::choose_thread && is_free(it.other)) return it.other;
  return is_free(it.target) ? it.target : kNone;
}

void placement::place_chain(index thread) {
  while (thread != kNone) {
    placed_[thread] = true;
    const index next = follower(thread);
    units_.push_back({false, thread, next});
    thread = next;
  }
}

void placement::place_block(index block, discipline how) {
  const tl0::code_block& b = p_.blocks[block];
  for (index i = b.inlets.first; i < b.inlets.end(); ++i) {
    const tl0::range posts = p_.inlets[i].posts;
    const index jumped_to = posts.count == 0 ? kNone : p_.posts[posts.end() - 1];
    const bool is_behind = how == discipline::md && jumped_to != kNone && !placed_[jumped_to] &&
                           (only_inlet_[jumped_to] == kNone || only_inlet_[jumped_to] == i);
    units_.push_back({true, i, is_behind ? jumped_to : kNone});
    if (is_behind) place_chain(jumped_to);
  }
  for (index t = b.threads.first; t < b.threads.end(); ++t)
    if (!placed_[t]) place_chain(t);
}

}  // namespace study
