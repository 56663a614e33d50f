// SPDX-License-Identifier: Apache-2.0
// Threads, instruction by instruction.
#include <algorithm>

#include "languages/id/emit/emitter.hpp"

namespace idc::emit {

using partition::step;
using tl0::opcode;

tl0::program emit(const graph::program& from, const find_line& lines) {
  partition::planner plans(from);
  block_names names(from);
  emitter all(from, plans.variants(), names, lines);
  for (partition::plan p; plans.next(p);) {
    names.name_found(p);
    all.add_block(p);
  }
  return all.take();
}

emitter::emitter(const graph::program& from, const partition::variant_table& variants,
                 const block_names& names, find_line lines)
    : from_(from), lines_(std::move(lines)), variants_(variants), names_(p_.names, names) {
  p_.files.emplace_back("<tl0>");
  constexpr tl0::kind kKinds[] = {tl0::kind::word, tl0::kind::integer, tl0::kind::real,
                                  tl0::kind::boolean};
  for (std::size_t i = 0; i < 4; ++i) kinds_[i] = p_.type_index({kKinds[i], tl0::kNone, {}});
  kinds_[4] = p_.type_index({tl0::kind::istructure, kinds_[0], {}});
  kinds_[5] = p_.type_index({tl0::kind::mstructure, kinds_[0], {}});
  for (std::size_t i = 0; i < kinds_.size(); ++i)
    inlets_[i] = p_.type_index({tl0::kind::inlet, tl0::kNone, {kinds_[i]}});
}

void emitter::add_block(const partition::plan& made) {
  plan_ = &made;
  for (const partition::variant* v : plan_->found) block_of(*v);
  now_ = {};
  now_.number = block_of(*plan_->of);
  sign_callees();
  declare();
  fill();
}

tl0::program emitter::take() {
  for (const far_target& t : far_targets_)
    p_.instructions[t.instruction].target = p_.blocks[t.block].inlets.first + t.inlet;
  p_.main = block_of(variants_.main());
  return std::move(p_);
}

void emitter::fill_inlets() {
  const auto begin_posts = [&](index inlet) -> index& {
    p_.inlets[inlet].code.instructions.first = static_cast<index>(p_.instructions.size());
    p_.inlets[inlet].posts.first = static_cast<index>(p_.posts.size());
    return p_.inlets[inlet].posts.count;
  };
  const auto messages = static_cast<index>(own_.messages.size());
  for (index i = 0; i < now_.inputs.size(); ++i) {
    if (now_.inputs[i] == tl0::kNone || (i == 0 && messages > 1)) continue;
    index& count = begin_posts(now_.inputs[i]);
    for (const partition::thread* t : plan_->inputs[i].posts) {
      p_.posts.push_back(now_.threads[t->number]);
      ++count;
    }
  }
  if (now_.start == tl0::kNone) return;
  for (index i = 0; i < messages; ++i) {
    begin_posts(now_.inputs[0] + i) = 1;
    p_.posts.push_back(now_.start);
  }
}

void emitter::fill() {
  temporaries_.assign(now_.slots.size(), {});
  in_temporaries_.clear();
  fill_inlets();
  if (now_.start != tl0::kNone) {
    place_ = p_.threads[now_.start].where;
    begin(p_.threads[now_.start].code);
    for (const partition::thread* t : plan_->inputs[0].posts)
      add({.op = opcode::fork, .target = now_.threads[t->number]});
    end(p_.threads[now_.start].code);
  }
  for (const partition::thread& t : plan_->threads)
    if (now_.threads[t.number] != tl0::kNone) thread_body(t);
  for (const auto& [group, at] : now_.groups) {
    place_ = p_.threads[at].where;
    begin(p_.threads[at].code);
    for (const partition::thread* t : *group)
      add({.op = opcode::fork, .target = now_.threads[t->number]});
    end(p_.threads[at].code);
  }
}

void emitter::begin(tl0::body& to) {
  for (const value v : in_temporaries_) temporaries_[v] = {};
  in_temporaries_.clear();
  temporary_count_ = 0;
  to.instructions.first = static_cast<index>(p_.instructions.size());
  to.temporaries.first = static_cast<index>(p_.temporaries.size());
}

void emitter::end(tl0::body& to) {
  add({});
  to.instructions.count = static_cast<index>(p_.instructions.size()) - to.instructions.first;
  to.temporaries.count = temporary_count_;
}

void emitter::thread_body(const partition::thread& t) {
  const index at = now_.threads[t.number];
  place_ = p_.threads[at].where;
  begin(p_.threads[at].code);
  const auto& begins = plan_->inputs.front().posts;  // what the arguments enable
  if (plan_->of->of->rounds_of && !plan_->is_loop)
    p_.threads[at].after_calls = std::find(begins.begin(), begins.end(), &t) != begins.end();
  for (const step& s : t.steps) {
    step_(s);
    if (s.is == step::kind::node && s.of->is_walk) p_.threads[at].when_room = true;
    if (s.is == step::kind::again && rounds_call()) p_.threads[at].after_calls = true;
  }
  forks(t);
  if (t.frees) give_permit_back();
  if (t.frees) add({.op = opcode::ffree});
  end(p_.threads[at].code);
}

// Whether a round makes activations on this rank: they are as far as they can be before the next
// one begins.
bool emitter::rounds_call() const {
  for (const graph::node& n : plan_->of->of->nodes) {
    const bool calls = n.op == graph::operation::call || n.op == graph::operation::apply;
    if (calls && &n != plan_->self && !n.is_tail && !n.is_spread) return true;
  }
  return false;
}

void emitter::give_permit_back() {
  const graph::function& f = *plan_->of->of;
  if (f.permits == graph::kNoValue) return;
  const operand taken = as(integer(1), kind::integer, kind::word);
  add({.op = opcode::mput,
       .argument_count = 1,
       .first_argument = arguments({taken}),
       .a = read(f.permits, kind::m_structure),
       .b = read(f.permit, kind::integer)});
}

index emitter::thread_of(const partition::thread_list& all) const {
  if (all.empty()) return tl0::kNone;
  if (all.size() == 1) return now_.threads[all[0]->number];
  return std::find_if(now_.groups.begin(), now_.groups.end(),
                      [&](const auto& g) { return *g.first == all; })
      ->second;
}

// What is forked last runs first.
void emitter::forks(const partition::thread& t) {
  for (auto to = t.forks.end(); to != t.forks.begin();)
    add({.op = opcode::fork, .target = now_.threads[(*--to)->number]});
  for (auto s = t.switches.rbegin(); s != t.switches.rend(); ++s)
    add({.op = opcode::choose_thread,
         .a = read(s->choice->operands[0], kind::boolean),
         .target = thread_of(s->yes),
         .other = thread_of(s->no)});
  for (const step& s : t.steps)
    if (s.is == step::kind::again)
      add({.op = opcode::again, .target = now_.threads[plan_->head->number]});
}

void emitter::step_(const partition::step& s) {
  place_ = place(s.of->where);
  switch (s.is) {
    case step::kind::node:
      return node(*s.of);
    case step::kind::pass:
      return pass(*s.of, s.operand);
    case step::kind::apply_code:
      return apply_code(*s.of);
    case step::kind::apply_call:
      return apply_call(*s.of);
    case step::kind::apply_pass:
      return apply_pass(*s.of);
    case step::kind::again:
      return again(*s.of);
  }
}

// The variables of the next round, all at once.
void emitter::again(const graph::node& n) {
  const graph::function& f = *plan_->of->of;
  std::vector<std::pair<value, operand>> moves;
  for (std::size_t i = 0; i < n.operands.size(); ++i) {
    const value to = f.parameters[i];
    if (n.operands[i] == to) continue;
    operand from = read(n.operands[i], kind_of(to));
    const bool is_parameter =
        f.values[n.operands[i]].by == graph::value_info::made::parameter && from.is_slot();
    if (is_parameter) {
      const operand copied = temporary(type_of(kind_of(to)));
      add({.op = opcode::move, .to = copied, .a = from});
      from = copied;
    }
    moves.emplace_back(to, from);
  }
  for (const auto& [to, from] : moves)
    add({.op = opcode::move, .to = slot(now_.slots[to]), .a = from});
}

tl0::instruction& emitter::add(const tl0::instruction& made) {
  p_.instructions.push_back(made);
  p_.positions.push_back(place_);
  return p_.instructions.back();
}

operand emitter::temporary(index type) {
  p_.temporaries.push_back({tl0::kNone, type});
  return operand::in(tl0::space::temporary, temporary_count_++);
}

operand emitter::computed(opcode op, operand a, operand b, index type) {
  const operand to = temporary(type);
  add({.op = op, .to = to, .a = a, .b = b});
  return to;
}

index emitter::arguments(const operands& list) {
  const auto first = static_cast<index>(p_.arguments.size());
  p_.arguments.insert(p_.arguments.end(), list.begin(), list.end());
  return first;
}

operand emitter::string(const std::string& text) {
  std::string written;
  for (const char c : text) {
    if (c == '"' || c == '\\') written += '\\';
    written += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  }
  const auto [found, is_new] = strings_.emplace(written, static_cast<index>(p_.strings.size()));
  if (is_new) p_.strings.push_back(written);
  return operand::in(tl0::space::string, found->second);
}

operand emitter::literal(const char* text) {
  for (const auto& [known, made] : literals_)
    if (known == text) return made;
  return literals_.emplace_back(text, string(text)).second;
}

operand emitter::retype(operand from, index type) {
  return computed(opcode::retype, from, {}, type);
}

operand emitter::as(operand from, kind is, kind wanted) {
  if (is == wanted) return from;
  if (is != kind::word) from = retype(from, type_of(kind::word));
  return wanted == kind::word ? from : retype(from, type_of(wanted));
}

operand emitter::read(value v, kind wanted) {
  const graph::value_info& info = plan_->of->of->values[v];
  if (info.by == graph::value_info::made::constant) {
    const auto bits = static_cast<std::uint64_t>(info.bits);
    if (wanted == kind::integer || wanted == kind::real || wanted == kind::boolean)
      return p_.constant(bits, type_of(wanted));
    return as(integer(info.bits), kind::integer, wanted);
  }
  const operand made = temporaries_[v];
  return as(made.is_none() ? slot(now_.slots[v]) : made, info.is, wanted);
}

operand emitter::keep(value v, operand in) {
  in_temporaries_.push_back(v);
  return temporaries_[v] = in;
}

// Where a node puts its value: a slot, or a temporary that only this thread sees.
operand emitter::target(value v) {
  if (now_.slots[v] != tl0::kNone) return slot(now_.slots[v]);
  return keep(v, temporary(type_of(kind_of(v))));
}

void emitter::write_to(value v, operand from, kind is) {
  if (v == graph::kNoValue) return;
  from = as(from, is, kind_of(v));
  if (now_.slots[v] == tl0::kNone && from.is_temporary())
    keep(v, from);
  else
    add({.op = opcode::move, .to = target(v), .a = from});
}

}  // namespace idc::emit
