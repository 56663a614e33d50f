// SPDX-License-Identifier: Apache-2.0
#include "languages/id/graph/kernel.hpp"

#include <algorithm>
#include <functional>

namespace idc::graph {

using core::binding;
using core::kNoSlot;
using core::slot;
using core::slot_list;
using op = core::operation;

namespace {

// Nothing but the value comes of it.
bool is_removable(op o) {
  switch (o) {
    case op::divide:
    case op::remainder:
    case op::to_integer:
    case op::allocate:
    case op::fetch:
    case op::take:
    case op::examine:
    case op::store:
    case op::put:
    case op::call:
    case op::apply:
    case op::global:
    case op::choice:
    case op::no_match:
    case op::wrong_step:
    case op::give:
      return false;
    default:
      return true;
  }
}

// It may have to wait for something else than its operands.
bool waits(const core::region& r);
bool waits(const binding& b) {
  switch (b.op) {
    case op::field:
    case op::fetch:
    case op::take:
    case op::examine:
    case op::put:
    case op::call:
    case op::apply:
    case op::global:
      return true;
    case op::choice:
      return waits(*b.yes) || waits(*b.no);
    default:
      return false;
  }
}
bool waits(const core::region& r) {
  return std::any_of(r.bindings.begin(), r.bindings.end(),
                     [](const binding& b) { return waits(b); });
}

bool has_call(const binding& b) {
  const auto in = [](const core::region& r) {
    return std::any_of(r.bindings.begin(), r.bindings.end(),
                       [](const binding& inner) { return has_call(inner); });
  };
  return b.op == op::call || (b.op == op::choice && (in(*b.yes) || in(*b.no)));
}

// How often the function is called in the region.
int calls(const core::region& r, const core::function& f) {
  int count = 0;
  for (const binding& b : r.bindings) {
    count += b.called() == &f;
    if (b.op == op::choice) count += calls(*b.yes, f) + calls(*b.no, f);
  }
  return count;
}

}  // namespace

bool gives(const core::region& r) {
  return std::any_of(r.bindings.begin(), r.bindings.end(), [](const binding& b) {
    return b.is_tail || b.op == op::give ||
           (b.op == op::choice && b.to == kNoSlot && (gives(*b.yes) || gives(*b.no)));
  });
}

kernel::kernel(const core::function& of)
    : of_(of),
      made_(of.slots.size()),
      same_(of.slots.size(), kNoSlot),
      used_(of.slots.size()),
      visiting_(of.slots.size()) {
  scan(*of.body, kNoSlot);
  for (slot s = 0; s < same_.size(); ++s) find_same(s);
  use_all(*of.body, kNoSlot);
  is_loop_ = of.is_loop && find_loop();
  if (is_loop_) find_spine();
}

// `given`: the slot that the choice around the region makes.
void kernel::scan(const core::region& r, slot given) {
  for (const binding& b : r.bindings) {
    if (b.to != kNoSlot && b.to != given) made_[b.to] = &b;
    if (b.called()) uses_.push_back(&b);
    if (b.op != op::choice) continue;
    scan(*b.yes, b.to);
    scan(*b.no, b.to);
  }
}

// Copies, and fields of what was put together here. What is a copy of itself stays what it is.
slot kernel::find_same(slot s) {
  if (same_[s] != kNoSlot) return same_[s];
  const binding* b = made_[s];
  if (!b || visiting_[s]) return b ? s : same_[s] = s;
  visiting_[s] = true;
  slot found = s;
  if (b->op == op::move) {
    found = find_same(b->operands[0]);
  } else if (b->op == op::field) {
    const slot whole = find_same(b->operands[0]);
    const binding* from = made_[whole];
    const auto which = static_cast<std::size_t>(b->immediate);
    if (from && from->op == op::construct && which < from->operands.size())
      found = find_same(from->operands[which]);
  }
  visiting_[s] = false;
  return same_[s] = found;
}

void kernel::use(slot s) {
  s = same_[s];
  if (used_[s]) return;
  used_[s] = true;
  const binding* b = made_[s];
  if (b && is_removable(b->op))
    for (slot o : b->operands) use(o);
}

void kernel::use_all(const core::region& r, slot given) {
  for (const binding& b : r.bindings) {
    if (!is_removable(b.op) || b.to == given)
      for (slot o : b.operands) use(o);
    if (b.op != op::choice) continue;
    use_all(*b.yes, b.to);
    use_all(*b.no, b.to);
  }
}

bool kernel::is_live(const binding& b) const {
  if (!is_removable(b.op)) return true;
  if (made_[b.to] != &b) return true;  // it gives to a choice
  return same_[b.to] == b.to && used_[b.to];
}

void kernel::collect(const binding& b, slots& used, slots& made) const {
  if (!is_live(b)) return;
  for (slot s : b.operands) used.add(same_[s]);
  if (b.to != kNoSlot) made.add(b.to);
  if (b.op != op::choice) return;
  for (const binding& inner : b.yes->bindings) collect(inner, used, made);
  for (const binding& inner : b.no->bindings) collect(inner, used, made);
}

slot_list kernel::needs(const std::vector<const binding*>& bindings) const {
  slots used, made;
  for (const binding* b : bindings) collect(*b, used, made);
  slot_list needed;
  for (const slot s : used.all())
    if (!made.contains(s)) needed.push_back(s);
  std::sort(needed.begin(), needed.end());
  return needed;
}

// One choice at the end: on one side the only call of the function, which is the last thing.
bool kernel::find_loop() {
  for (const binding& b : of_.body->bindings) {
    if (b.op == op::choice && b.to == kNoSlot && gives(*b.yes)) {
      if (loop_.choice) return false;
      loop_.choice = &b;
    } else {
      loop_.test.push_back(&b);
    }
  }
  if (!loop_.choice || calls(*of_.body, of_) != 1) return false;
  slots used, made, tested;
  for (const binding* b : loop_.test) collect(*b, used, tested);
  used.clear();
  for (const binding& b : loop_.choice->yes->bindings) {
    if (b.called() == &of_) loop_.next = &b;
    collect(b, used, made);
  }
  for (const binding& b : loop_.choice->no->bindings) collect(b, used, made);
  if (!loop_.next || !loop_.next->is_tail) return false;
  // The test is copied into two places, so nothing but the test may need what it makes.
  return std::none_of(used.all().begin(), used.all().end(), [&](slot s) {
    return tested.contains(s) && made_[s]->op != op::constant && made_[s]->op != op::text;
  });
}

void kernel::find_spine() {
  const auto& round = loop_.choice->yes->bindings;
  std::vector<bool> chosen(round.size());
  const auto number = [&](const binding& b) { return static_cast<std::size_t>(&b - round.data()); };
  const auto is_in_round = [&](const binding* b) {
    return b && !std::less<>()(b, round.data()) && std::less<>()(b, round.data() + round.size());
  };
  std::vector<const binding*> left = {loop_.next};
  slots used, made;
  while (!left.empty()) {
    used.clear();
    collect(*left.back(), used, made);
    left.pop_back();
    for (const slot s : used.all()) {
      if (!is_in_round(made_[s]) || chosen[number(*made_[s])]) continue;
      chosen[number(*made_[s])] = true;
      left.push_back(made_[s]);
    }
  }
  for (const binding& b : round) {
    if (&b == loop_.next || !is_live(b)) continue;
    (chosen[number(b)] ? loop_.spine : loop_.rest).push_back(&b);
    if (chosen[number(b)]) continue;
    if (waits(b)) loop_.is_apart = true;
    if (has_call(b)) loop_.calls = true;
  }
}

}  // namespace idc::graph
