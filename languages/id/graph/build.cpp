// SPDX-License-Identifier: Apache-2.0
// Functions: plain ones, loops that begin with a round, what closures are called by.
#include <algorithm>
#include <cassert>
#include <utility>

#include "languages/id/graph/builder.hpp"

namespace idc::graph {

namespace {

void analyse(program& p) {
  find_kinds_and_strict(p);
  for (function& f : p.functions) {
    make_conditions(f);
    order_calls(f);
  }
}

}  // namespace

program build(const core::program& of, type_store& types, loop_limit limit) {
  const facts known(of, std::move(limit));
  program made;
  made.texts = known.texts;
  const auto all = std::make_shared<builder>(known, types, made);
  made.memory = all;
  for (const auto& f : of.functions) all->make(*f);
  all->finish();
  analyse(made);
  return made;
}

void builder::make(const core::function& f) {
  if (kernel_of(f).loop()) return;  // it is made as its callers want it
  f_ = nullptr;
  of(f);
  while (!waiting_.empty()) {
    draft* const next = waiting_.back();
    waiting_.pop_back();
    fill(*next);
  }
}

void builder::fill(draft& made) {
  bounds_.clear();
  made.is_filled = true;
  try {
    made.fill();
  } catch (const unsupported&) {
    made.thrown = std::current_exception();
    return;
  }
  cut_cycles(made);
}

// Functions are filled and numbered by their first use; of those numbered, the last is looked
// through first for further uses.
void builder::finish() {
  make_main();
  draft& first = static_cast<draft&>(*out_.main);
  cut_cycles(first);
  number(first);
  waiting_.clear();
  number_used(first);
  while (!waiting_.empty()) {
    draft& next = *waiting_.back();
    waiting_.pop_back();
    if (!next.is_filled) {
      std::vector<draft*> asked_for = std::exchange(waiting_, {});
      fill(next);
      waiting_ = std::move(asked_for);
    }
    if (next.thrown) std::rethrow_exception(next.thrown);
    number_used(next);
  }
}

void builder::number(draft& made) {
  made.number = static_cast<std::uint32_t>(out_.functions.size());
  out_.functions.emplace_back(made);
  waiting_.push_back(&made);
}

void builder::number_used(draft& by) {
  for (const draft::use& each : by.uses) {
    draft& used = *each.of;
    if (each.is_call)
      used.callers.push_back(&by);
    else if (used.number == kNoNumber)
      number(used);
  }
  by.uses = {};
}

draft* builder::make(std::string name, position where) {
  draft& made = drafts_.emplace_back();
  made.name = std::move(name);
  made.where = where;
  made.number = kNoNumber;
  made.body = &made.regions.emplace_back();
  return &made;
}

void builder::later(draft* made, std::function<void()> fill) {
  made->fill = std::move(fill);
  waiting_.push_back(made);
}

// Notes that the function that is made now uses it.
function* builder::ask_for(draft* of) {
  if (f_) f_->uses.push_back({of, false});
  return of;
}

function* builder::of(const core::function& f) {
  entry& e = entries_[f.number];
  if (e.plain) return ask_for(e.plain);
  draft* const added = e.plain = make(f.name, f.where);
  for (core::slot s : f.parameters) add_parameter(*added, f.slots[s]);
  if (needs_globals(f)) add_globals(*added);
  later(added, [this, added, &f] { fill(*added, f); });
  return ask_for(added);
}

// The loop from a round on: its caller has found that there is one. A loop has one call in the
// kernel beside its own. That is copied to one place, or, in the test or the end of a loop around,
// into that one's rounds and to whoever asks for these, and they are in a round where those are:
// so it does not matter who asks first.
function* builder::rounds_of(const core::function& f) {
  entry& e = entries_[f.number];
  assert(!e.rounds || e.rounds->in_round == f_->in_round);
  if (e.rounds) return ask_for(e.rounds);
  const kernel& k = kernel_of(f);
  draft* const added = e.rounds = make(f.name + said_limit(k), f.where);
  added->rounds_of = &f;
  added->in_round = f_->in_round;
  added->in_turn = k.loop()->in_turn;
  for (core::slot s : without_condition(k, f.parameters)) add_parameter(*added, f.slots[s]);
  if (is_limited(k))
    for (const char* name : {"permits", "permit"}) add_parameter(*added, name);
  if (needs_globals(f)) add_globals(*added);
  later(added, [this, added, &f] { fill_rounds(*added, f); });
  return ask_for(added);
}

void builder::fill(draft& made, const core::function& f) {
  f_ = &made;
  now_ = made.body;
  const kernel& k = kernel_of(f);
  environment values(f.slots.size(), kNoValue);
  for (std::size_t i = 0; i < f.parameters.size(); ++i)
    values[f.parameters[i]] = made.parameters[i];
  copy(*f.body, {&k, &values, core::kNoSlot, nullptr, context::gives::result});
}

void builder::fill_rounds(draft& made, const core::function& f) {
  f_ = &made;
  now_ = made.body;
  if (is_chained(kernel_of(f)))
    fill_chained(made, f);
  else
    fill_round(made, f);
}

// Which parameter of the loop tells that there is a round: in a round it is true. None: as many as
// there are.
std::size_t builder::condition_of(const kernel& k) const {
  const auto& all = k.function().parameters;
  const core::slot tells = k.same(k.loop()->choice->operands[0]);
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), tells) - all.begin());
}

void builder::fill_round(function& made, const core::function& f) {
  const kernel& k = kernel_of(f);
  const loop_shape& loop = *k.loop();
  environment values(f.slots.size(), kNoValue), next(f.slots.size(), kNoValue);
  const std::size_t at = condition_of(k);
  if (at < f.parameters.size()) values[f.parameters[at]] = constant(1);
  std::size_t taken = 0;
  for (core::slot s : without_condition(k, f.parameters)) values[s] = made.parameters[taken++];
  const context round{&k, &values, core::kNoSlot, nullptr, context::gives::result};
  // Whether there is a next round is found out last: compiled code compares where it branches.
  const core::binding* last = nullptr;
  for (const core::binding* b : loop.spine)
    if (at < f.parameters.size() && b == k.made(k.same(loop.next->operands[at])) &&
        b->op == core::operation::compare)
      last = b;
    else
      copy(*b, round);
  if (loop.is_apart) {
    outline(k, values);
  } else {
    for (const core::binding* b : loop.rest) copy(*b, round);
  }
  if (last) copy(*last, round);
  const value_list given = values_of(round, *loop.next);
  for (std::size_t i = 0; i < f.parameters.size(); ++i) next[f.parameters[i]] = given[i];
  value_list arguments = without_condition(k, given);
  permit_value permit = permit_of(made, k);
  if (is_limited(k)) {
    permit.permit = next_permit(permit.permit, made.where);
    arguments.insert(arguments.end(), {permit.permits, permit.permit});
  }
  if (made.globals != kNoValue) arguments.push_back(made.globals);
  const context after{&k, &next, core::kNoSlot, nullptr, context::gives::result};
  for (const core::binding* b : loop.test) copy(*b, after);
  value condition = value_of(after, loop.choice->operands[0]);
  if (is_limited(k) && !is_chained(k)) condition = and_taken(condition, permit, loop.choice->where);
  node& choice = begin_choice(condition, loop.choice->where, kNoValue);
  in(*choice.yes, [&] { add_call(&made, arguments, loop.next->where, kNoValue).is_tail = true; });
  in(*choice.no, [&] { copy(*loop.choice->no, after); });
}

// What the rounds do beside what the next one needs waits for nothing of the loop. Where it calls
// something it goes to the ranks, unless the loop is in such a round itself: to the one that keeps
// the row which it fills, or to all in turn. With a permit, it gives that back when it ends.
void builder::outline(const kernel& k, environment& values) {
  const loop_shape& loop = *k.loop();
  const position where = loop.rest.front()->where;
  draft* const made = make(k.function().name + ".round", where);
  ask_for(made);
  const context here{&k, &values, core::kNoSlot, nullptr, context::gives::result};
  core::slot_list taken;
  value_list given;
  for (core::slot s : k.needs(loop.rest)) {
    const core::binding* b = k.made(s);
    if (b && (b->op == core::operation::constant || b->op == core::operation::text)) continue;
    taken.push_back(s);
    given.push_back(value_of(here, s));
  }
  const bool is_spread = rounds_are_spread(k);
  const bool is_placed = is_spread && k.function().fills != core::kNoSlot;
  const bool has_globals = f_->globals != kNoValue;
  made->in_round = is_spread || f_->in_round;
  const bool has_permit = is_limited(k);
  if (const permit_value own = permit_of(*f_, k); has_permit)
    given.insert(given.end(), {own.permits, own.permit});
  if (has_globals) given.push_back(f_->globals);
  if (is_spread && given.size() + (is_placed ? 1 : 0) > tl0::kWordsMax) {
    made->packed = static_cast<std::uint32_t>(given.size());
    given = {pack(given, where)};
  }
  if (is_placed)
    given.push_back(add(operation::owner,
                        {value_of(here, k.function().fills), value_of(here, k.function().row)},
                        where));
  node& call = add_call(made, given, where, kNoValue);
  call.is_spread = is_spread;
  call.is_placed = is_placed;
  if (made->packed != 0) {
    add_parameter(*made, "given");
  } else {
    for (core::slot s : taken) add_parameter(*made, k.function().slots[s]);
    if (has_permit) {
      made->permits = add_parameter(*made, "permits");
      made->permit = add_parameter(*made, "permit");
    }
    if (has_globals) add_globals(*made);
  }
  if (is_placed) add_parameter(*made, "owner");
  later(made,
        [this, made, taken, &k, has_globals] { fill_outlined(*made, k, taken, has_globals); });
}

void builder::fill_outlined(draft& made, const kernel& k, const core::slot_list& taken,
                            bool has_globals) {
  f_ = &made;
  now_ = made.body;
  const bool is_packed = made.packed != 0;
  environment inside(k.function().slots.size(), kNoValue);
  for (std::size_t i = 0; i < taken.size(); ++i)
    inside[taken[i]] =
        is_packed ? unpacked(i, k.function().slots[taken[i]], made.where) : made.parameters[i];
  std::size_t at = taken.size();
  if (is_packed && is_limited(k)) {
    made.permits = unpacked(at++, "permits", made.where);
    made.permit = unpacked(at++, "permit", made.where);
  }
  if (is_packed && has_globals) made.globals = unpacked(at, "globals", made.where);
  for (const core::binding* b : k.loop()->rest)
    copy(*b, {&k, &inside, core::kNoSlot, nullptr, context::gives::result});
}

// More than a message carries: a structure, whose elements come when they come.
value builder::pack(const value_list& values, position where) {
  const value made =
      add(operation::allocate, {constant(static_cast<std::int64_t>(values.size()))}, where);
  for (std::size_t i = 0; i < values.size(); ++i)
    add(operation::store, {made, constant(static_cast<std::int64_t>(i)), values[i]}, where,
        kNoValue)
        .immediate = 1;
  return made;
}

value builder::unpacked(std::size_t which, std::string_view name, position where) {
  const value to = fresh(name);
  add(operation::fetch, {f_->parameters[0], constant(static_cast<std::int64_t>(which))}, where, to);
  return to;
}

// The function, given a structure that holds what it takes.
function* builder::shared_of(const core::function& f, std::size_t operands) {
  entry& e = entries_[f.number];
  if (e.shared) return ask_for(e.shared);
  draft* const added = e.shared = make(f.name + ".shared", f.where);
  added->packed = static_cast<std::uint32_t>(operands);
  add_parameter(*added, "given");
  later(added, [this, added, &f, operands] { fill_shared(*added, f, operands); });
  return ask_for(added);
}

void builder::fill_shared(draft& made, const core::function& f, std::size_t operands) {
  f_ = &made;
  now_ = made.body;
  value_list given;
  for (std::size_t i = 0; i < operands; ++i) given.push_back(unpacked(i, "", f.where));
  call_into({nullptr, nullptr, core::kNoSlot, nullptr, context::gives::result}, of(f), given,
            f.where);
}

// What a closure is called by: it takes the closure and one argument, or a structure of one element
// that the argument comes to.
function* builder::wrapper_of(const core::function& f, std::size_t given, bool by_cell) {
  entry& e = entries_[f.number];
  for (const wrapper& w : e.wrappers)
    if (w.given == given && w.by_cell == by_cell) return ask_for(w.made);
  draft* const added =
      make(f.name + (by_cell ? ".late" : ".with") + std::to_string(given + 1), f.where);
  e.wrappers.push_back({given, by_cell, added});
  added->is_code = true;
  for (const char* name : {"closure", by_cell ? "cell" : "argument"}) add_parameter(*added, name);
  later(added, [this, added, &f, given, by_cell] { fill_wrapper(*added, f, given, by_cell); });
  return ask_for(added);
}

void builder::fill_wrapper(draft& made, const core::function& f, std::size_t given, bool by_cell) {
  f_ = &made;
  now_ = made.body;
  value_list arguments;
  std::int64_t at = kCodeWords;
  const auto next = [&] {
    return add(operation::fetch, {made.parameters[0], constant(at++)}, f.where);
  };
  if (needs_globals(f)) made.globals = next();
  for (std::size_t i = 0; i < given; ++i) arguments.push_back(next());
  arguments.push_back(by_cell ? add(operation::fetch, {made.parameters[1], constant(0)}, f.where)
                              : made.parameters[1]);
  if (given + 1 == f.parameters.size()) {
    const context here{nullptr, nullptr, core::kNoSlot, nullptr, context::gives::result};
    call_into(here, of(f), with_globals(arguments, f), f.where);
    return;
  }
  const value closure = fresh();
  close(f, arguments, f.where, closure);
  give(closure);
}

value builder::add_parameter(function& f, std::string_view name) {
  f.parameters.push_back(static_cast<value>(f.values.size()));
  f.values.emplace_back(value_info::made::parameter, kind::word, nullptr, name);
  return f.parameters.back();
}

void builder::add_globals(function& f) { f.globals = add_parameter(f, "globals"); }

value_list builder::with_globals(value_list operands, const core::function& callee) {
  if (needs_globals(callee)) operands.push_back(f_->globals);
  return operands;
}

value builder::fresh(std::string_view name) {
  f_->values.emplace_back(value_info::made::nothing, kind::word, nullptr, name);
  return static_cast<value>(f_->values.size() - 1);
}

value builder::constant(std::int64_t bits) {
  f_->values.emplace_back(bits);
  return static_cast<value>(f_->values.size() - 1);
}

node& builder::add(operation does, value_list operands, position where, value to) {
  node& made = f_->nodes.emplace_back();
  made.op = does;
  made.operands = std::move(operands);
  made.where = where;
  made.to = to;
  made.in = now_;
  made.number = static_cast<std::uint32_t>(f_->nodes.size() - 1);
  if (to != kNoValue) {
    f_->values[to].by =
        does == operation::choice ? value_info::made::by_choice : value_info::made::by_node;
    f_->values[to].from = &made;
  }
  now_->nodes.push_back(&made);
  return made;
}

value builder::add(operation does, value_list operands, position where, std::int64_t immediate) {
  const value to = fresh();
  add(does, std::move(operands), where, to).immediate = immediate;
  return to;
}

value builder::compute(tl0::opcode code, value_list operands, position where) {
  const value to = fresh();
  add(operation::compute, std::move(operands), where, to).code = code;
  return to;
}

node& builder::add_call(function* callee, value_list operands, position where, value to) {
  node& made = add(operation::call, std::move(operands), where, to);
  made.callee = callee;
  f_->has_calls = true;
  f_->uses.push_back({static_cast<draft*>(callee), true});
  return made;
}

node& builder::begin_choice(value condition, position where, value to) {
  node& made = add(operation::choice, {condition}, where, to);
  for (region** side : {&made.yes, &made.no}) {
    *side = &f_->regions.emplace_back();
    (*side)->around = now_;
    (*side)->of = &made;
    (*side)->depth = now_->depth + 1;
    (*side)->number = static_cast<std::uint32_t>(f_->regions.size() - 1);
  }
  return made;
}

// In a region of the choice: its value there.
void builder::merge(node& choice, value v, position where) {
  node& made = add(operation::merge, {v}, where, kNoValue);
  node** at = &choice.merge;
  while (*at) at = &(*at)->merge;
  *at = &made;
}

void builder::give(value v) { add(operation::give, {v}, f_->where, kNoValue); }

}  // namespace idc::graph
