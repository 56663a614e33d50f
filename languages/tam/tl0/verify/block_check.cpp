// SPDX-License-Identifier: Apache-2.0
// Entry counts: how many entries each node gets, for every outcome of the switches.
#include "languages/tam/tl0/verify/block_check.hpp"

#include <algorithm>

#include "languages/tam/tl0/verify/verify.hpp"

namespace tl0 {

block_check::block_check(const program& p, index block, conditions& numbers,
                         frontend::messages& report)
    : p_(p), report_(report), g_(graph_of(p, block)), c_(numbers) {
  c_.clear();
  find_accesses();
  edge_outcome_.assign(g_.edges.size(), c_.number(1));
  runs_.assign(g_.node_count(), c_.number(0));
  feasible_.assign(g_.node_count(), c_.number(1));
}

void block_check::error(index node, const std::string& text) {
  report_.error(place_of(p_, node_position(p_, g_, node), report_), text);
}

void block_check::error_at(index instruction, const std::string& text) {
  report_.error(place_of(p_, p_.positions[instruction], report_), text);
}

const body& block_check::body_of(index node) const {
  const code_block& b = p_.blocks[g_.block];
  return g_.is_inlet(node) ? p_.inlets[b.inlets.first + node].code
                           : p_.threads[b.threads.first + node - g_.inlets].code;
}

bool block_check::counts_messages(index node) const {
  return g_.is_inlet(node) && p_.inlets[p_.blocks[g_.block].inlets.first + node].counter != kNone;
}

// ", when the switch of thread 'x' goes to 'y'"
std::string block_check::example(condition where, std::uint32_t& value) const {
  std::string text;
  for (const auto& [which, is_yes] : c_.example(where, value)) {
    const instruction& asked = p_.instructions[switches_[which]];
    const index to = is_yes ? asked.target : asked.other;
    text += std::string(text.empty() ? ", when the switch of line " : " and that of line ") +
            std::to_string(p_.positions[switches_[which]].line) + " goes to " +
            (to == kNone ? "none" : "'" + p_.name(p_.threads[to].name) + "'");
  }
  return text;
}

// Switches by one slot go the same way, if all that writes the slot is before each of them, or
// goes on to the next round of a loop that they are in.
index block_check::number_of_switch(index node, index instruction) {
  const operand by = p_.instructions[instruction].a;
  const bool is_shared = by.is_slot() && is_written_before(node, by.at(), instruction);
  if (is_shared) {
    const auto known = switch_of_slot_.find(by.at());
    if (known != switch_of_slot_.end()) return known->second;
  }
  switches_.push_back(instruction);
  const auto number = static_cast<index>(switches_.size() - 1);
  if (is_shared) switch_of_slot_.emplace(by.at(), number);
  return number;
}

bool block_check::is_written_before(index node, index slot, index instruction) const {
  const range code = body_of(node).instructions;
  for (index i = instruction; i < code.end(); ++i)
    if (p_.instructions[i].to == operand::in(space::slot, slot)) return false;
  const std::vector<bool> before = reached_from(node, true);
  for (index n = 0; n < g_.node_count(); ++n)
    if (!before[n] && writes(n, slot) && !ends_round(n, node)) return false;
  return true;
}

// Whether a thread goes on to the next round of a loop that the node is in, behind the node.
bool block_check::ends_round(index thread, index node) const {
  const auto goes_on = [&](const loop& l) {
    return l.members[node] && std::any_of(l.agains.begin(), l.agains.end(),
                                          [&](index e) { return g_.edges[e].from == thread; });
  };
  return std::any_of(loops_.begin(), loops_.end(), goes_on) && reached_from(node, false)[thread];
}

void block_check::number_switches(index node) {
  index instruction = kNone, number = 0;
  for (index e : g_.out[node]) {
    const edge& way = g_.edges[e];
    if (way.is != edge_kind::yes && way.is != edge_kind::no) continue;
    if (way.instruction != instruction) {
      instruction = way.instruction;
      number = number_of_switch(node, instruction);
    }
    edge_outcome_[e] = c_.outcome(number, way.is == edge_kind::yes);
  }
}

condition block_check::fires(const edge& e) const {
  const auto number = static_cast<std::size_t>(&e - g_.edges.data());
  return c_.both(runs_[e.from], edge_outcome_[number]);
}

void block_check::check_sum(index node, condition sum, condition feasible,
                            const std::string& from) {
  const std::uint32_t wanted = entries_wanted(p_, g_, node);
  const condition good = c_.either(c_.equal(sum, 0), c_.equal(sum, wanted));
  const condition bad = c_.both(feasible, c_.inverse(good));
  if (c_.never(bad)) return;
  std::uint32_t found = 0;
  for (std::uint32_t value = 1; value < 64; ++value) {
    const condition here = c_.both(bad, c_.equal(sum, value));
    if (c_.never(here)) continue;
    const std::string outcomes = example(here, found);
    const std::string what = g_.is_inlet(node) ? " message" : " entry";
    const std::string more = value == 1 ? "" : g_.is_inlet(node) ? "s" : "";
    error(node, name(node) + " gets " + std::to_string(value) +
                    (g_.is_inlet(node) ? value == 1 ? " message" : " messages"
                     : value == 1      ? " entry"
                                       : " entries") +
                    from + " and wants " + std::to_string(wanted) + outcomes);
    return;
  }
  error(node, name(node) + " gets another number of entries than it wants" + from);
}

// What comes from inside of a loop to outside: in a round that goes on all or nothing, too.
void block_check::leave_loops(index node) {
  for (const loop& l : loops_) {
    if (l.members[node]) continue;
    condition sum = c_.number(0);
    bool leaves = false;
    for (index e : g_.in[node]) {
      const edge& way = g_.edges[e];
      if (!is_forward(e) || !l.members[way.from]) continue;
      leaves = true;
      sum = c_.sum(sum, fires(way));
    }
    if (!leaves) continue;
    feasible_[node] = c_.both(feasible_[node], c_.inverse(l.goes_on));
    if (!counts_messages(node))
      check_sum(node, sum, l.goes_on,
                " from a round of the loop of " + name(l.head) + " that is not the last");
  }
}

void block_check::count(index node) {
  condition sum = c_.number(0);
  bool is_given = false;
  for (index e : g_.in[node]) {
    if (!is_forward(e)) continue;
    const edge& way = g_.edges[e];
    is_given = true;
    sum = counts_messages(node) ? c_.either(sum, runs_[way.from]) : c_.sum(sum, fires(way));
    feasible_[node] = c_.both(feasible_[node], feasible_[way.from]);
  }
  leave_loops(node);
  if (!is_given && g_.is_inlet(node)) {
    runs_[node] = c_.number(1);
  } else {
    check_sum(node, sum, feasible_[node], "");
    runs_[node] = c_.equal(sum, entries_wanted(p_, g_, node));
  }
  number_switches(node);
  for (loop& l : loops_)
    for (index e : l.agains)
      if (g_.edges[e].from == node) l.goes_on = c_.either(l.goes_on, fires(g_.edges[e]));
}

void block_check::check_heads() {
  for (const loop& l : loops_) {
    condition sum = c_.number(0), feasible = c_.number(1);
    for (index e : l.agains) {
      sum = c_.sum(sum, fires(g_.edges[e]));
      feasible = c_.both(feasible, feasible_[g_.edges[e].from]);
    }
    check_sum(l.head, sum, feasible, " by 'again'");
  }
}

void block_check::check_reached() {
  const code_block& b = p_.blocks[g_.block];
  for (index n = 0; n < g_.node_count(); ++n) {
    const index thread = b.threads.first + n - g_.inlets;
    if (!g_.is_inlet(n) && (thread == b.entry || thread == b.exit)) continue;
    if (c_.never(c_.both(runs_[n], feasible_[n])))
      error(n, name(n) + " is never executed: " +
                   (g_.in[n].empty() ? "nothing posts or forks it"
                                     : "nothing that would enable it is executed"));
  }
}

// One thread with ffree, whatever the outcomes; the thread enables nothing.
void block_check::check_ffree() {
  condition sum = c_.number(0), feasible = c_.number(1);
  bool is_there = false;
  for (index n = 0; n < g_.node_count(); ++n) feasible = c_.both(feasible, feasible_[n]);
  for (index n = g_.inlets; n < g_.node_count(); ++n) {
    const range code = body_of(n).instructions;
    if (code.count > 1 && p_.instructions[code.end() - 2].op == opcode::fail) {
      sum = c_.sum(sum, runs_[n]);  // the program ends
      continue;
    }
    index freed = kNone;
    for (index i = code.first; i < code.end(); ++i)
      if (p_.instructions[i].op == opcode::ffree) {
        if (freed != kNone) error_at(i, "the activation is freed already, in this thread");
        freed = i;
      }
    if (freed == kNone) continue;
    is_there = true;
    sum = c_.sum(sum, runs_[n]);
    for (index e : g_.out[n])
      error_at(g_.edges[e].instruction, name(n) + " frees the activation, and so it can enable " +
                                            name(g_.edges[e].to) + " no more");
    for (index i = freed + 1; i < code.end(); ++i)
      if (p_.instructions[i].op != opcode::stop)
        error_at(i, "after ffree there are no slots any more: only stop may follow it");
  }
  if (!is_there)
    return report_.error(place_of(p_, p_.blocks[g_.block].where, report_),
                         "no thread of this code block frees its activation (ffree)");
  const condition bad = c_.both(feasible, c_.inverse(c_.equal(sum, 1)));
  if (c_.never(bad)) return;
  std::uint32_t value = 0;
  const bool is_none = !c_.never(c_.both(bad, c_.equal(sum, 0)));
  const condition where = c_.both(bad, is_none ? c_.equal(sum, 0) : c_.inverse(c_.equal(sum, 0)));
  report_.error(place_of(p_, p_.blocks[g_.block].where, report_),
                std::string(is_none ? "no thread frees the activation (ffree)"
                                    : "more than one thread frees the activation (ffree)") +
                    example(where, value));
}

void block_check::run() {
  const int before = report_.errors();
  const bool has_loops = find_loops();
  if (!find_order() || !has_loops || !check_entrances()) return;
  for (index node : order_) count(node);
  if (report_.errors() != before) return;  // what follows would only repeat it
  check_heads();
  check_reached();
  if (report_.errors() != before) return;
  check_ffree();
  check_slots();
}

}  // namespace tl0
