// SPDX-License-Identifier: Apache-2.0
// What the code blocks declare.
#include <algorithm>

#include "languages/id/emit/emitter.hpp"

namespace idc::emit {

using graph::operation;
using graph::value_info;
using partition::input;
using partition::step;

index emitter::type_of(kind k) { return kinds_[static_cast<std::size_t>(k)]; }
index emitter::inlet_of(kind k) { return inlets_[static_cast<std::size_t>(k)]; }

emitter::known_block& emitter::known(const partition::variant& v) {
  if (v.number >= blocks_.size()) blocks_.resize(std::size_t{v.number} + 1);
  known_block& all = blocks_[v.number];
  if (all.number != tl0::kNone) return all;
  all.number = static_cast<index>(p_.blocks.size());
  all.name = names_.of_block(v.block);
  p_.blocks.emplace_back().name = all.name;
  return all;
}

index emitter::block_of(const partition::variant& v) { return known(v).number; }

// Programs have very many types of these.
index emitter::frame_of(const partition::variant& of) {
  known_block& at = known(of);
  if (at.frame_type != tl0::kNone) return at.frame_type;
  p_.types.push_back({tl0::kind::frame, at.number, {}});
  return at.frame_type = static_cast<index>(p_.types.size() - 1);
}

index emitter::code_type() {
  const index word = type_of(kind::word);
  if (code_type_ == tl0::kNone)
    code_type_ = p_.type_index({tl0::kind::code, tl0::kNone, {inlet_of(kind::word), word, word}});
  return code_type_;
}

tl0::position emitter::place(position p) {
  if (!line_.has(p)) {
    const line_of_source found = lines_(p);
    const auto file = std::find(p_.files.begin() + 1, p_.files.end(), found.file);
    const auto number = static_cast<index>(file - p_.files.begin());
    if (file == p_.files.end()) p_.files.emplace_back(found.file);
    line_ = {found.begin, found.end - found.begin, found.line, number};
  }
  return {line_.file, line_.line, p.at - line_.begin + 1};
}

index emitter::add_slot(index wanted, index type, position where) {
  const auto number = static_cast<index>(p_.slots.size()) - p_.blocks[now_.number].slots.first;
  p_.slots.push_back({names_.take(wanted), type, place(where)});
  ++p_.blocks[now_.number].slots.count;
  return number;
}

index emitter::add_inlet(index name, std::span<const operand> to, std::span<const index> types,
                         position where) {
  tl0::inlet made;
  made.name = name;
  made.block = now_.number;
  made.where = place(where);
  made.parameters = {static_cast<index>(p_.parameters.size()), static_cast<index>(to.size())};
  made.code.temporaries.first = static_cast<index>(p_.temporaries.size());
  for (std::size_t i = 0; i < to.size(); ++i) {
    operand at = to[i];
    if (at.is_none()) {  // nobody looks at it
      at = operand::in(tl0::space::temporary, made.code.temporaries.count++);
      p_.temporaries.push_back({names_.take(names_.identifier("unused")), types[i]});
    }
    p_.parameters.push_back({at, types[i]});
  }
  p_.inlets.push_back(made);
  ++p_.blocks[now_.number].inlets.count;
  return static_cast<index>(p_.inlets.size() - 1);
}

index emitter::add_thread(index wanted, index count, position where) {
  tl0::thread made;
  made.name = names_.take(wanted);
  made.block = now_.number;
  made.entry_count = count;
  made.where = place(where);
  p_.threads.push_back(made);
  ++p_.blocks[now_.number].threads.count;
  return static_cast<index>(p_.threads.size() - 1);
}

// With the names that a block of the variant takes first.
emitter::signature emitter::sign(const partition::variant& v) {
  const graph::function& f = *v.of;
  signature made;
  made.of = &v;
  names_.begin_block();
  const auto name = [&](index wanted) { made.inlets.push_back(names_.take(wanted)); };
  made.messages.push_back(0);
  name(names_.identifier("args"));
  std::size_t words = v.wants_result ? 1 : 0;
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    if (!v.by_value.contains(i)) continue;
    if (words == tl0::kWordsMax) {
      words = 0;
      made.messages.push_back(0);
      name(names_.identifier("more"));
    }
    ++words;
    ++made.messages.back();
  }
  std::size_t input = 0;
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    if (v.by_value.contains(i)) continue;
    ++input;
    const std::string_view known = f.values[f.parameters[i]].name();
    name(known.empty() ? names_.numbered('i', input) : names_.identifier_is(known));
  }
  return made;
}

void emitter::sign_callees() {
  signatures_.clear();
  for (const partition::variant* v : plan_->calls)
    if (std::none_of(signatures_.begin(), signatures_.end(),
                     [v](const signature& s) { return s.of == v; }))
      signatures_.push_back(sign(*v));
}

const emitter::signature& emitter::signature_of(const partition::variant& callee) const {
  return *std::find_if(signatures_.begin(), signatures_.end(),
                       [&](const signature& s) { return s.of == &callee; });
}

void emitter::declare() {
  const graph::function& f = *plan_->of->of;
  own_ = sign(*plan_->of);
  tl0::code_block& made = p_.blocks[now_.number];
  made.where = place(f.where);
  made.slots.first = static_cast<index>(p_.slots.size());
  made.inlets.first = static_cast<index>(p_.inlets.size());
  made.threads.first = static_cast<index>(p_.threads.size());
  declare_slots();
  declare_inlets();
  declare_threads();
}

void emitter::declare_slots() {
  const graph::function& f = *plan_->of->of;
  now_.slots.assign(f.values.size(), tl0::kNone);
  for (value v = 0; v < f.values.size(); ++v) {
    if (!plan_->in_slots[v]) continue;
    const std::string_view known = f.values[v].name();
    const position where = f.values[v].from ? f.values[v].from->where : f.where;
    now_.slots[v] = add_slot(known.empty() ? names_.numbered('v', v) : names_.identifier(known),
                             type_of(f.values[v].is), where);
  }
  if (plan_->of->wants_result)
    now_.result = add_slot(names_.identifier("result"), inlet_of(f.result), f.where);
  if (!plan_->passes_later && plan_->codes.empty()) return;
  for (const partition::thread& t : plan_->threads)
    for (const step& s : t.steps) {
      if (s.is == step::kind::node) continue;
      const graph::node& n = *s.of;
      const auto add = [&](std::vector<index>& to, std::string_view name, index type) {
        if (to.empty()) to.assign(f.nodes.size(), tl0::kNone);
        to[n.number] = add_slot(names_.identifier(name), type, n.where);
      };
      if (s.is == step::kind::pass && slot_of(now_.frames, n) == tl0::kNone)
        add(now_.frames, "callee", frame_of(*plan_->callees[n.number]));
      if (s.is == step::kind::apply_pass && slot_of(now_.cells, n) == tl0::kNone)
        add(now_.cells, "cell", type_of(kind::structure));
      if (s.is == step::kind::apply_code) add(now_.codes, "code", type_of(kind::word));
    }
}

void emitter::declare_inlets() {
  const graph::function& f = *plan_->of->of;
  operands to;
  std::vector<index> types;
  if (plan_->of->wants_result) {
    to.push_back(slot(now_.result));
    types.push_back(inlet_of(f.result));
  }
  now_.inputs.push_back(p_.blocks[now_.number].inlets.first);
  std::size_t parameter = 0, name = 0;
  for (const index count : own_.messages) {
    for (index left = count; left != 0; ++parameter) {
      if (!plan_->of->by_value.contains(parameter)) continue;
      const value v = f.parameters[parameter];
      to.push_back(slot(now_.slots[v]));
      types.push_back(type_of(f.values[v].is));
      --left;
    }
    add_inlet(own_.inlets[name++], {to.data(), to.size()}, {types.data(), types.size()}, f.where);
    to.clear();
    types.clear();
  }
  for (std::size_t i = 1; i < plan_->inputs.size(); ++i) {
    const input& in = plan_->inputs[i];
    if (in.is == input::kind::choice) {
      now_.inputs.push_back(tl0::kNone);
      continue;
    }
    const bool is_named = in.is == input::kind::parameter;
    now_.inputs.push_back(add_inlet(in, i, is_named ? own_.inlets[name++] : tl0::kNone));
  }
}

// The inlet of an input that brings one word.
index emitter::add_inlet(const input& in, std::size_t number, index name) {
  const graph::function& f = *plan_->of->of;
  const bool is_code = in.is == input::kind::code;
  const graph::value_info* const info = in.to == graph::kNoValue ? nullptr : &f.values[in.to];
  const index at = is_code ? now_.codes[in.from->number] : info ? now_.slots[in.to] : tl0::kNone;
  const operand to[] = {at == tl0::kNone ? operand{} : slot(at)};
  const index type[] = {type_of(info && !is_code ? info->is : kind::word)};
  if (name == tl0::kNone) {
    const bool is_known = info && !info->name().empty();
    name = names_.take(is_code    ? names_.identifier("code_is")
                       : is_known ? names_.identifier_is(info->name())
                                  : names_.numbered('i', number));
  }
  return add_inlet(name, to, type, in.from ? in.from->where : f.where);
}

position emitter::where_of(const partition::thread& t) const {
  return t.steps.empty() ? plan_->of->of->where : t.steps[0].of->where;
}

void emitter::declare_threads() {
  const graph::function& f = *plan_->of->of;
  if (const std::size_t messages = own_.messages.size(); messages > 1)
    now_.start = add_thread(names_.identifier("start"), static_cast<index>(messages), f.where);
  for (const partition::thread& t : plan_->threads) {
    const bool is_used = t.count != 0;
    const auto wanted = [&] {
      if (t.frees && t.steps.empty()) return names_.identifier("done");
      return t.is_head ? names_.identifier("head") : names_.numbered('t', t.number);
    };
    now_.threads.push_back(is_used ? add_thread(wanted(), t.count, where_of(t)) : tl0::kNone);
  }
  if (!plan_->has_groups) return;
  for (const partition::thread& t : plan_->threads)
    for (const partition::switching& s : t.switches)
      for (const auto* side : {&s.yes, &s.no}) {
        if (side->size() < 2) continue;
        const bool is_known = std::any_of(now_.groups.begin(), now_.groups.end(),
                                          [&](const auto& g) { return *g.first == *side; });
        if (!is_known)
          now_.groups.emplace_back(side, add_thread(names_.identifier("side"), 1, s.choice->where));
      }
}

}  // namespace idc::emit
