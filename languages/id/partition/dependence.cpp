// SPDX-License-Identifier: Apache-2.0
// Dependence sets, and the threads that they make.
#include <algorithm>

#include "languages/id/partition/partitioner.hpp"

namespace idc::partition {

using graph::operation;
using graph::value;

namespace {

bool is_asked_for(operation op) { return op == operation::fetch || op == operation::take; }

}  // namespace

bool partitioner::run(plan& made, bool as_loop) {
  plan_ = &made;
  f_ = made.of->of;
  as_loop_ = as_loop;
  is_first_ = false;
  test_ = nullptr;
  if (as_loop && !find_loop()) return false;
  begin();
  if (as_loop && !is_first_)
    begin_loop();
  else if (f_->packed != 0)
    begin_packed();
  find_sets();
  if (as_loop && !check_loop()) return false;
  made.in_slots.assign(f_->values.size(), false);
  for (const graph::node* n : f_->order) place_once(*n);
  add_late_steps();
  plan_->is_loop = as_loop && !is_first_;
  if (plan_->is_loop) join_loop();
  for (std::size_t i = 0; i < plan_->threads.size(); ++i) find_sources(plan_->threads[i]);
  // Inner regions first: they may need threads of those around them.
  const auto deepest = static_cast<int>(at_depth_.size()) - 1;
  for (int depth = deepest; depth >= 0; --depth)
    for (thread* t = at_depth_[static_cast<std::size_t>(depth)].first; t; t = t->next_at_depth)
      resolve(*t);
  find_slots();
  fork_merges();
  free_at_end();
  return true;
}

void partitioner::begin() {
  int deepest = 0;
  has_choice_.assign(f_->regions.size(), false);
  for (const graph::region& r : f_->regions) {
    deepest = std::max(deepest, r.depth);
    if (r.around) has_choice_[r.around->number] = true;
  }
  at_depth_.assign(static_cast<std::size_t>(deepest) + 1, {});
  in_region_.assign(f_->regions.size(), {});
  sources_in_.assign(f_->regions.size(), {});
  begin_sets();
  plan_->answers.assign(f_->nodes.size(), kNone);
  plan_->callees.assign(f_->nodes.size(), nullptr);
  add_input(input::kind::arguments, nullptr, graph::kNoValue, f_->body, {});
  for (std::size_t i = 0; i < f_->parameters.size(); ++i) {
    value_row& made = values_[f_->parameters[i]];
    made.source = kArguments;
    if (!plan_->of->by_value.contains(i)) {
      made.source = add_input(input::kind::parameter, nullptr, f_->parameters[i], f_->body, {});
      plan_->inputs.back().parameter = static_cast<std::uint32_t>(i);
    }
    made.all = plan_->inputs[made.source].all;
  }
}

// As they were before anything was found.
void partitioner::begin_sets() {
  by_set_.assign(f_->regions.size(), {});
  control_ = round_ = {};
  control_.add(kArguments);
  nodes_.assign(f_->nodes.size(), {});
  values_.assign(f_->values.size(), {});
  before_.clear();
  natural_.clear();
  late_.clear();
  readers_.clear();
}

// All elements are asked for at first; all else comes after those that the caller stored.
void partitioner::begin_packed() {
  hoisted_.assign(f_->nodes.size(), false);
  for (const graph::node* n : f_->order) {
    const std::size_t element = graph::packed_element(*f_, *n);
    if (element >= f_->packed) continue;
    hoisted_[n->number] = true;
    find_set(*n);
    if (plan_->of->by_value.contains(f_->parameters.size() + element))
      control_.add(plan_->inputs.back().all);
  }
}

std::uint32_t partitioner::add_input(input::kind is, const graph::node* from, value to,
                                     const graph::region* in, input_set all) {
  const auto number = static_cast<std::uint32_t>(plan_->inputs.size());
  all.add(number);
  sources_in_[in->number].add(number);
  plan_->inputs.push_back({is, from, 0, to, in, std::move(all), {}});
  return number;
}

thread* partitioner::find_thread(const graph::region& r, const input_set& all) {
  const auto found = by_set_[r.number].find(all);
  return found == by_set_[r.number].end() ? nullptr : found->second;
}

thread& partitioner::thread_for(const graph::region& r, const input_set& all) {
  if (thread* const known = find_thread(r, all)) return *known;
  thread& made = add_thread(r);
  made.all = all;
  by_set_[r.number].emplace(all, &made);
  return made;
}

thread& partitioner::add_thread(const graph::region& r) {
  thread& made = plan_->threads.emplace_back();
  made.number = static_cast<std::uint32_t>(plan_->threads.size() - 1);
  made.in = &r;
  sources_in_[r.number].add(number_of(made));
  const auto append = [&](thread_row& to, thread* thread::* next) {
    (to.last ? to.last->*next : to.first) = &made;
    to.last = &made;
  };
  append(in_region_[r.number], &thread::next_in_region);
  append(at_depth_[static_cast<std::size_t>(r.depth)], &thread::next_at_depth);
  return made;
}

thread& partitioner::add_step(const graph::region& r, const input_set& all, step s) {
  thread& t = thread_for(r, all);
  t.steps.push_back(s);
  return t;
}

// The thread looks at the value.
void partitioner::read(const thread& t, value v) {
  const std::uint32_t source = values_[v].source;
  if (source != kNone && source != number_of(t)) plan_->in_slots[v] = true;
}

// And waits for it.
void partitioner::read_as_source(thread& t, value v) {
  const std::uint32_t source = values_[v].source;
  if (source == kNone || source == number_of(t)) return;
  t.sources.add(source);
  plan_->in_slots[v] = true;
}

// What comes by itself, when all threads of nodes are known.
void partitioner::add_late_steps() {
  plan_->passes_later = !late_.empty();
  for (const late& l : late_) {
    const graph::node& n = *l.what.of;
    thread& t = add_step(*l.in, l.all, l.what);
    read_as_source(t, n.operands[l.what.is == step::kind::pass ? l.what.operand : 1]);
    t.sources.add(number_of(*thread_of(n)));
    readers_.push_back({&n, &t});
  }
  for (const reader& r : readers_)
    for (const value v : r.of->operands) read(*r.by, v);
}

// Of values: those that are made in one thread, or by a message, and read in another one.
void partitioner::find_slots() {
  for (const thread& t : plan_->threads)
    for (const switching& s : t.switches) read(t, s.choice->operands[0]);
  for (const value v : f_->parameters) plan_->in_slots[v] = true;
  for (const value v : {f_->permits, f_->permit})
    if (v != graph::kNoValue) plan_->in_slots[v] = true;
  for (const input& in : plan_->inputs)
    if (in.is == input::kind::choice && !in.posts.empty()) plan_->in_slots[in.to] = true;
}

// What has happened when the region is entered.
const input_set& partitioner::control(const graph::region& r) {
  return r.of ? set_of(*r.of) : control_;
}

// Of all nodes. What a loop's test waits for is all of the round, and tail calls are the last.
void partitioner::find_sets() {
  const auto is_inside = [&](const graph::node* n) {
    for (const graph::region* r = n->in; r && r->of; r = r->of->in)
      if (r->of == test_) return true;
    return n == test_;
  };
  for (const bool inside : {false, true}) {
    if (inside && !as_loop_) break;
    for (const graph::node* n : f_->order)
      if (!n->is_tail && (!as_loop_ || is_inside(n) == inside)) find_set(*n);
  }
  for (const graph::node* n : f_->order)
    if (n->is_tail) find_set(*n);
}

void partitioner::find_set(const graph::node& n) {
  const bool is_ahead = (as_loop_ || f_->packed != 0) && hoisted_[n.number];
  if (is_ahead && answer_of(n) != kNone) return;
  input_set all = is_ahead ? plan_->inputs[kArguments].all : control(*n.in);
  if (graph::waits_for_all(n))
    for (const value v : n.operands) all.add(all_of(v));
  else
    for (std::size_t i = 0; i < n.operands.size(); ++i)
      if (waits_for(n, i)) all.add(all_of(n.operands[i]));
  if (as_loop_ && &n == test_) {
    if (f_->in_turn)
      for (const value v : plan_->self->operands) all.add(all_of(v));
    for (const graph::node* other : f_->order)
      if (other->in == f_->body && other != test_ && !hoisted_[other->number]) {
        all.add(set_of(*other));
        if (other->to != graph::kNoValue) all.add(all_of(other->to));
      }
  }
  nodes_[n.number].all = all;
  const bool has_answer = n.to != graph::kNoValue && (n.op != operation::call || !n.is_tail);
  if (n.op == operation::apply) {
    if (plan_->codes.empty()) {
      plan_->codes.assign(f_->nodes.size(), kNone);
      plan_->by_cell.resize(f_->nodes.size());
    }
    plan_->codes[n.number] = add_input(input::kind::code, &n, graph::kNoValue, n.in, all);
    all = plan_->inputs.back().all;
    if (!n.is_tail || !plan_->of->wants_result)
      plan_->answers[n.number] = add_input(input::kind::answer, &n, n.to, n.in, all);
  } else if (n.op == operation::choice && has_answer) {
    plan_->answers[n.number] = add_input(input::kind::choice, &n, n.to, n.in, all);
  } else if (is_asked_for(n.op) || (n.op == operation::call && has_answer)) {
    plan_->answers[n.number] = add_input(input::kind::answer, &n, n.to, n.in, all);
  }
  if (n.to == graph::kNoValue) return;
  const std::uint32_t answer = answer_of(n);
  values_[n.to] = {answer == kNone ? set_of(n) : plan_->inputs[answer].all, answer};
}

// A tail call is of the same kind as this activation: its result may be wanted or not.
bool partitioner::waits_for(const graph::node& n, std::size_t operand) const {
  if (n.op == operation::call && n.is_tail && !plan_->of->wants_result)
    return n.callee->strict[1].contains(operand);
  return graph::waits_for(n, operand);
}

// Whether the operand is there when the node is executed.
bool partitioner::is_there(const graph::node& n, std::size_t operand) const {
  if (waits_for(n, operand)) return true;
  const input_set& then =
      n.op == operation::apply ? plan_->inputs[plan_->codes[n.number]].all : set_of(n);
  return all_of(n.operands[operand]).is_in(then);
}

// Into its thread, behind what it needs.
void partitioner::place(const graph::node& n) {
  node_row& row = nodes_[n.number];
  row.is_placed = true;
  if (n.in->of) place_once(*n.in->of);
  if (n.op == operation::give && !plan_->of->wants_result) return;
  if (n.op == operation::call) return place_call(n);
  if (n.op == operation::apply) return place_apply(n);
  for (const value v : n.operands) place_maker(v);
  thread& t = add_step(*n.in, row.all, {step::kind::node, 0, &n});
  row.by = &t;
  for (const value v : n.operands) read_as_source(t, v);
  t.asks |= n.op == operation::choice || answer_of(n) != kNone;
  if (n.to != graph::kNoValue && values_[n.to].source == kNone)
    values_[n.to].source = static_cast<std::uint32_t>(number_of(t));
}

void partitioner::place_call(const graph::node& n) {
  for (std::size_t i = 0; i < n.operands.size(); ++i)
    if (is_there(n, i)) place_maker(n.operands[i]);
  const input_set& all = set_of(n);
  if (as_loop_ && !is_first_ && &n == plan_->self) {
    thread& t = add_step(*n.in, all, {step::kind::again, 0, &n});
    for (const value v : n.operands) read_as_source(t, v);
    t.asks = true;
    return;
  }
  variant& wanted = wanted_;
  wanted.of = n.callee;
  wanted.wants_result = n.is_tail ? plan_->of->wants_result : n.to != graph::kNoValue;
  wanted.by_value.clear();
  for (std::size_t i = 0; i < n.operands.size(); ++i) {
    if (is_there(n, i)) {
      wanted.by_value.add(i);
      continue;
    }
    input_set both = all;
    both.add(all_of(n.operands[i]));
    late_.push_back({{step::kind::pass, static_cast<std::uint32_t>(i), &n}, n.in, both});
  }
  if (n.callee->packed != 0) find_packed(n, wanted);
  plan_->calls.push_back(find_(wanted));
  plan_->callees[n.number] = plan_->calls.back();
  thread& t = add_step(*n.in, all, {step::kind::node, 0, &n});
  thread_of(n) = &t;
  for (std::size_t i = 0; i < n.operands.size(); ++i)
    if (plan_->calls.back()->by_value.contains(i)) read_as_source(t, n.operands[i]);
  t.asks |= answer_of(n) != kNone;
  readers_.push_back({&n, &t});
}

// What is stored in the structure where the call is made.
void partitioner::find_packed(const graph::node& call, variant& wanted) const {
  std::size_t parameter = call.operands.size();
  for (const value v : graph::packed_by(call)) {
    if (all_of(v).is_in(set_of(call))) wanted.by_value.add(parameter);
    ++parameter;
  }
}

void partitioner::place_apply(const graph::node& n) {
  const input_set then = plan_->inputs[plan_->codes[n.number]].all;
  const bool by_cell = !is_there(n, 1);
  plan_->by_cell[n.number] = by_cell;
  place_maker(n.operands[0]);
  if (!by_cell) place_maker(n.operands[1]);
  thread& asker = add_step(*n.in, set_of(n), {step::kind::apply_code, 0, &n});
  read_as_source(asker, n.operands[0]);
  asker.asks = true;
  thread& caller = add_step(*n.in, then, {step::kind::apply_call, 0, &n});
  thread_of(n) = &caller;
  caller.sources.add(plan_->codes[n.number]);
  read_as_source(caller, n.operands[0]);
  if (!by_cell) read_as_source(caller, n.operands[1]);
  caller.asks |= answer_of(n) != kNone;
  for (thread* t : {&asker, &caller}) readers_.push_back({&n, t});
  if (!by_cell) return;
  input_set both = then;
  both.add(all_of(n.operands[1]));
  late_.push_back({{step::kind::apply_pass, 0, &n}, n.in, both});
}

}  // namespace idc::partition
