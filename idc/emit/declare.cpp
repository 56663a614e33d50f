// SPDX-License-Identifier: Apache-2.0
// What the code blocks declare.
#include <algorithm>

#include "idc/emit/emitter.hpp"

namespace idc::emit {

using graph::operation;
using graph::value_info;
using partition::input;
using partition::step;

index emitter::type_of(kind k) { return kinds_[static_cast<std::size_t>(k)]; }
index emitter::inlet_of(kind k) { return inlets_[static_cast<std::size_t>(k)]; }

// Programs have very many types of these.
index emitter::frame_of(index of) {
  index& known = blocks_[of].frame_type;
  if (known != tl0::kNone) return known;
  p_.types.push_back({tl0::kind::frame, of, {}});
  return known = static_cast<index>(p_.types.size() - 1);
}

index emitter::code_of(const std::vector<index>& takes) {
  const auto [known, is_new] = codes_.try_emplace(takes, static_cast<index>(p_.types.size()));
  if (is_new) p_.types.push_back({tl0::kind::code, tl0::kNone, takes});
  return known->second;
}

tl0::position emitter::place(position p) {
  if (placed_ && p.at == placed_at_) return *placed_;
  const line_of_source found = lines_(p);
  const auto known = std::find(p_.files.begin() + 1, p_.files.end(), found.file);
  const auto file = static_cast<index>(known - p_.files.begin());
  if (known == p_.files.end()) p_.files.emplace_back(found.file);
  placed_at_ = p.at;
  placed_ = tl0::position{file, found.line, found.column};
  return *placed_;
}

index emitter::add_slot(block& b, index wanted, index type, position where) {
  const auto number = static_cast<index>(p_.slots.size()) - p_.blocks[b.number].slots.first;
  p_.slots.push_back({names_.take(wanted, b.number), type, place(where)});
  ++p_.blocks[b.number].slots.count;
  return number;
}

index emitter::add_inlet(block& b, index wanted, std::span<const operand> to,
                         std::span<const index> types, position where) {
  tl0::inlet made;
  made.name = names_.take(wanted, b.number);
  made.block = b.number;
  made.where = place(where);
  made.parameters = {static_cast<index>(p_.parameters.size()), static_cast<index>(to.size())};
  made.code.temporaries.first = static_cast<index>(p_.temporaries.size());
  for (std::size_t i = 0; i < to.size(); ++i) {
    operand at = to[i];
    if (at.is_none()) {  // nobody looks at it
      at = operand::in(tl0::space::temporary, made.code.temporaries.count++);
      p_.temporaries.push_back({names_.take(names_.identifier("unused"), b.number), types[i]});
    }
    p_.parameters.push_back({at, types[i]});
  }
  p_.inlets.push_back(made);
  ++p_.blocks[b.number].inlets.count;
  return static_cast<index>(p_.inlets.size() - 1);
}

index emitter::add_thread(block& b, index wanted, index count, position where) {
  tl0::thread made;
  made.name = names_.take(wanted, b.number);
  made.block = b.number;
  made.entry_count = count;
  made.where = place(where);
  p_.threads.push_back(made);
  ++p_.blocks[b.number].threads.count;
  return static_cast<index>(p_.threads.size() - 1);
}

void emitter::name_block(block& b) {
  if (b.plan == plans_.main) return;
  p_.blocks[b.number].name = names_.take(names_.identifier(b.plan->of.of->name), names::kProgram);
}

void emitter::declare(block& b) {
  const graph::function& f = *b.plan->of.of;
  tl0::code_block& made = p_.blocks[b.number];
  made.where = place(f.where);
  made.slots.first = static_cast<index>(p_.slots.size());
  made.inlets.first = static_cast<index>(p_.inlets.size());
  made.threads.first = static_cast<index>(p_.threads.size());
  declare_slots(b);
  declare_inlets(b);
  declare_threads(b);
}

void emitter::declare_slots(block& b) {
  const graph::function& f = *b.plan->of.of;
  b.slots.assign(f.values.size(), tl0::kNone);
  const std::vector<bool>& in_slots = b.plan->in_slots;
  for (value v = 0; v < f.values.size(); ++v) {
    if (!in_slots[v]) continue;
    const std::string_view known = f.values[v].name;
    const position where = f.values[v].from ? f.values[v].from->where : f.where;
    b.slots[v] = add_slot(b, known.empty() ? names_.numbered('v', v) : names_.identifier(known),
                          type_of(f.values[v].is), where);
  }
  if (b.plan->of.wants_result)
    b.result = add_slot(b, names_.identifier("result"), inlet_of(f.result), f.where);
  for (const partition::thread& t : b.plan->threads)
    for (const step& s : t.steps) {
      if (s.is == step::kind::node) continue;
      const graph::node& n = *s.of;
      const auto add = [&](std::vector<index>& to, std::string_view name, index type) {
        if (to.empty()) to.assign(f.nodes.size(), tl0::kNone);
        to[n.number] = add_slot(b, names_.identifier(name), type, n.where);
      };
      if (s.is == step::kind::pass && slot_of(b.frames, n) == tl0::kNone)
        add(b.frames, "callee", frame_of(b.plan->callees[n.number]->number));
      if (s.is == step::kind::apply_pass && slot_of(b.cells, n) == tl0::kNone)
        add(b.cells, "cell", type_of(kind::structure));
      if (s.is == step::kind::apply_code) add(b.codes, "code", type_of(kind::word));
    }
}

void emitter::declare_inlets(block& b) {
  const graph::function& f = *b.plan->of.of;
  operands to;
  frontend::small_vector<index, 4> types;
  b.messages.push_back(0);
  const auto flush = [&] {
    const bool is_first = b.messages.size() == 1;
    add_inlet(b, names_.identifier(is_first ? "args" : "more"), {to.data(), to.size()},
              {types.data(), types.size()}, f.where);
    to.clear();
    types.clear();
  };
  if (b.plan->of.wants_result) {
    to.push_back(slot(b.result));
    types.push_back(inlet_of(f.result));
  }
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    if (!b.plan->of.by_value[i]) continue;
    if (to.size() == tl0::kWordsMax) {
      flush();
      b.messages.push_back(0);
    }
    const value v = f.parameters[i];
    to.push_back(slot(b.slots[v]));
    types.push_back(type_of(f.values[v].is));
    ++b.messages.back();
  }
  flush();
  b.inputs.push_back(p_.blocks[b.number].inlets.first);
  for (std::size_t i = 1; i < b.plan->inputs.size(); ++i) {
    const input& in = b.plan->inputs[i];
    const position where = in.from ? in.from->where : f.where;
    const index at = in.to == graph::kNoValue ? tl0::kNone : b.slots[in.to];
    const operand kept = at == tl0::kNone ? operand{} : slot(at);
    const kind is = in.to == graph::kNoValue ? kind::word : f.values[in.to].is;
    const std::string_view known = in.to == graph::kNoValue ? "" : f.values[in.to].name;
    const bool is_code = in.is == input::kind::code;
    const operand to_slot[] = {is_code ? slot(b.codes[in.from->number]) : kept};
    const index type[] = {type_of(is_code ? kind::word : is)};
    const auto wanted = [&] {
      if (is_code) return names_.identifier("code_is");
      return known.empty() ? names_.numbered('i', i) : names_.identifier_is(known);
    };
    b.inputs.push_back(in.is == input::kind::choice ? tl0::kNone
                                                    : add_inlet(b, wanted(), to_slot, type, where));
  }
}

position emitter::where_of(const partition::thread& t, const block& b) const {
  return t.steps.empty() ? b.plan->of.of->where : t.steps[0].of->where;
}

void emitter::declare_threads(block& b) {
  const graph::function& f = *b.plan->of.of;
  if (b.messages.size() > 1)
    b.start =
        add_thread(b, names_.identifier("start"), static_cast<index>(b.messages.size()), f.where);
  for (const partition::thread& t : b.plan->threads) {
    const bool is_used = t.count != 0;
    const auto wanted = [&] {
      if (t.frees && t.steps.empty()) return names_.identifier("done");
      return t.is_head ? names_.identifier("head") : names_.numbered('t', t.number);
    };
    b.threads.push_back(is_used ? add_thread(b, wanted(), t.count, where_of(t, b)) : tl0::kNone);
  }
  for (const partition::thread& t : b.plan->threads)
    for (const partition::switching& s : t.switches)
      for (const auto* side : {&s.yes, &s.no}) {
        if (side->size() < 2) continue;
        const bool is_known = std::any_of(b.groups.begin(), b.groups.end(),
                                          [&](const auto& g) { return *g.first == *side; });
        if (!is_known)
          b.groups.emplace_back(side, add_thread(b, names_.identifier("side"), 1, s.choice->where));
      }
}

}  // namespace idc::emit
