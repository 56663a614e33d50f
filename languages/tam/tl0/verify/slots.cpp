// SPDX-License-Identifier: Apache-2.0
// Slots are written before they are read.
#include "languages/tam/tl0/verify/block_check.hpp"

namespace tl0 {

void block_check::find_accesses() {
  const code_block& b = p_.blocks[g_.block];
  row_words_ = (std::size_t{b.slots.count} + 63) / 64;
  written_.assign(row_words_ * g_.node_count(), 0);
  read_ = written_;
  for (index node = 0; node < g_.node_count(); ++node) {
    std::uint64_t* const written = written_.data() + node * row_words_;
    std::uint64_t* const read = read_.data() + node * row_words_;
    const auto reads = [&](operand o) {
      if (o.is_slot())
        read[o.at() / 64] |= std::uint64_t{1} << (o.at() % 64) & ~written[o.at() / 64];
    };
    const auto writes = [&](operand o) {
      if (o.is_slot()) written[o.at() / 64] |= std::uint64_t{1} << (o.at() % 64);
    };
    if (g_.is_inlet(node)) {
      const range arrives = p_.inlets[b.inlets.first + node].parameters;
      for (index i = arrives.first; i < arrives.end(); ++i) writes(p_.parameters[i].to);
    }
    const range code = body_of(node).instructions;
    for (index i = code.first; i < code.end(); ++i) {
      const instruction& it = p_.instructions[i];
      reads(it.a);
      reads(it.b);
      for (unsigned k = 0; k < it.argument_count; ++k) reads(p_.arguments[it.first_argument + k]);
      writes(it.to);
    }
  }
}

// Whether the node's body, or what arrives at the inlet, writes the slot before an instruction.
bool block_check::writes(index node, index slot, index before) const {
  if (g_.is_inlet(node)) {
    const inlet& of = p_.inlets[p_.blocks[g_.block].inlets.first + node];
    for (index i = of.parameters.first; i < of.parameters.end(); ++i)
      if (p_.parameters[i].to == operand::in(space::slot, slot)) return true;
  }
  const range code = body_of(node).instructions;
  for (index i = code.first; i < code.end() && i < before; ++i)
    if (p_.instructions[i].to == operand::in(space::slot, slot)) return true;
  return false;
}

// The first instruction that reads the slot before the node has written it; kNone: none.
index block_check::first_read(index node, index slot) const {
  const operand wanted = operand::in(space::slot, slot);
  const range code = body_of(node).instructions;
  if (writes(node, slot, code.first)) return kNone;
  for (index i = code.first; i < code.end(); ++i) {
    const instruction& it = p_.instructions[i];
    bool reads = it.a == wanted || it.b == wanted;
    for (unsigned k = 0; k < it.argument_count; ++k)
      reads |= p_.arguments[it.first_argument + k] == wanted;
    if (reads) return i;
    if (it.to == wanted) return kNone;
  }
  return kNone;
}

// When the slot is written before the node is executed. A thread is executed after all of the
// thread that made the request which led to it; `early`: an inlet's body, right after the request.
condition block_check::defined_at(index node, index slot, const std::vector<condition>& after,
                                  bool early) const {
  const bool all = counts_messages(node);  // any of the messages may be the one
  condition defined = c_.number(all ? 1 : 0);
  bool is_given = false;
  for (index e : g_.in[node]) {
    if (!is_forward(e)) continue;
    is_given = true;
    const edge& way = g_.edges[e];
    condition before = after[way.from];
    if (early && way.is == edge_kind::request && !writes(way.from, slot, way.instruction))
      before = defined_at(way.from, slot, after, false);
    const condition fired = fires(way);
    defined = all ? c_.both(defined, c_.either(c_.inverse(fired), before))
                  : c_.either(defined, c_.both(fired, before));
  }
  return is_given ? defined : c_.number(0);
}

void block_check::check_slot(index slot) {
  std::vector<condition> after(g_.node_count(), c_.number(0));
  for (index n : order_) {
    const condition before = defined_at(n, slot, after, false);
    after[n] = writes(n, slot) ? c_.number(1) : before;
    const index read = first_read(n, slot);
    const index slot_number = p_.blocks[g_.block].slots.first + slot;
    const bool counts_in_it =
        counts_messages(n) &&
        p_.inlets[p_.blocks[g_.block].inlets.first + n].counter == slot_number;
    if (read == kNone && !counts_in_it) continue;
    const condition there = g_.is_inlet(n) ? defined_at(n, slot, after, true) : before;
    const condition bad = c_.both(c_.both(runs_[n], feasible_[n]), c_.inverse(there));
    if (c_.never(bad)) continue;
    std::uint32_t value = 0;
    const std::string text = "the slot '" + p_.name(p_.slots[slot_number].name) +
                             "' may be read here before it is written" + example(bad, value);
    if (read == kNone) {
      error(n, text);
    } else {
      error_at(read, text);
    }
  }
}

// Whether the edge gives its entry whenever the node that it leads to is executed.
bool block_check::is_certain(index e) {
  const edge& way = g_.edges[e];
  return conditions::never(
      c_.both(c_.both(runs_[way.to], feasible_[way.to]), c_.inverse(fires(way))));
}

// Slots that are written before the node whenever it is executed: before all that may have given
// the entries, or before one that certainly has. There may be more.
void block_check::find_certain(index node, std::vector<std::uint64_t>& certain) {
  std::uint64_t* const mine = certain.data() + node * row_words_;
  bool is_given = false;
  for (index e : g_.in[node]) {
    if (!is_forward(e)) continue;
    const std::uint64_t* const before = certain.data() + g_.edges[e].from * row_words_;
    for (std::size_t w = 0; w < row_words_; ++w)
      mine[w] = is_given ? mine[w] & before[w] : before[w];
    is_given = true;
  }
  if (counts_messages(node)) return;
  for (index e : g_.in[node]) {
    if (!is_forward(e) || !is_certain(e)) continue;
    const std::uint64_t* const before = certain.data() + g_.edges[e].from * row_words_;
    for (std::size_t w = 0; w < row_words_; ++w) mine[w] |= before[w];
  }
}

// Most slots are certain; the others are checked outcome by outcome, one after the other.
void block_check::check_slots() {
  std::vector<std::uint64_t> certain(written_.size()), doubtful(row_words_);
  const code_block& b = p_.blocks[g_.block];
  for (index n : order_) {
    find_certain(n, certain);
    for (std::size_t w = 0; w < row_words_; ++w) {
      std::uint64_t& now = certain[n * row_words_ + w];
      const std::uint64_t read = read_[n * row_words_ + w];
      doubtful[w] |= g_.is_inlet(n) ? read : read & ~now;  // an inlet may come early
      now |= written_[n * row_words_ + w];
    }
    if (counts_messages(n)) {
      const index counter = p_.inlets[b.inlets.first + n].counter - b.slots.first;
      doubtful[counter / 64] |= std::uint64_t{1} << (counter % 64);
    }
  }
  for (index s = 0; s < b.slots.count; ++s)
    if ((doubtful[s / 64] >> (s % 64) & 1) != 0) check_slot(s);
}

}  // namespace tl0
