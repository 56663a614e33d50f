// SPDX-License-Identifier: Apache-2.0
#include "papers/study/machine/registers.hpp"

#include <algorithm>
#include <iterator>

namespace study {

using tl0::operand;
using tl0::space;

namespace {

// Constants that an instruction holds.
bool is_short(const tl0::program& p, operand o) {
  if (o.where() != space::constant) return false;
  const auto value = static_cast<std::int64_t>(p.constants[o.at()]);
  return value >= -16 && value < 16;
}

}  // namespace

body_code::body_code(const tl0::program& p, target_code& out, std::uint32_t slots_at,
                     std::uint32_t spills_at, std::vector<index> last_uses)
    : p_(p),
      out_(out),
      slots_at_(slots_at),
      spills_at_(spills_at),
      last_uses_(std::move(last_uses)),
      first_event_(out.events.size()) {}

void body_code::take_over(const body_code& other) {
  clock_ = other.clock_;
  for (unsigned r = 0; r < kRegisters; ++r)
    if (other.registers_[r].what.is_slot()) registers_[r] = other.registers_[r];
  std::copy_if(other.in_message_.begin(), other.in_message_.end(), std::back_inserter(in_message_),
               [](const auto& m) { return m.first.is_slot(); });
}

index body_code::piece_here() {
  if (pending_ != 0) out_.events.push_back({.instructions = pending_});
  pending_ = 0;
  piece made{.address = out_.end,
             .first = std::uint32_t(first_event_),
             .count = std::uint32_t(out_.events.size() - first_event_)};
  for (std::size_t i = first_event_; i < out_.events.size(); ++i)
    made.instructions += out_.events[i].instructions;
  first_event_ = out_.events.size();
  out_.end = made.end();
  out_.pieces.push_back(made);
  return index(out_.pieces.size() - 1);
}

void body_code::add(cost c, std::int32_t at) {
  if (pending_ != 0) out_.events.push_back({.instructions = pending_});
  pending_ = 0;
  append(out_.events, c, at);
}

void body_code::add_call(cost routine) {
  out_.events.push_back({.instructions = std::uint16_t(pending_ + 1),
                         .does = event::kind::call,
                         .offset = std::int32_t(routine)});
  pending_ = 0;
}

void body_code::add_access(event::kind does, place base, region where, std::uint32_t at) {
  out_.events.push_back({.instructions = std::uint16_t(pending_ + 1),
                         .does = does,
                         .base = base,
                         .where = where,
                         .offset = std::int32_t(at * kWordBytes)});
  pending_ = 0;
}

unsigned body_code::find(operand o) const {
  const auto at = std::find_if(registers_.begin(), registers_.end(),
                               [o](const held& h) { return h.what == o; });
  return o.is_none() ? kRegisters : unsigned(at - registers_.begin());
}

bool body_code::is_needed(operand o) const {
  return o.is_temporary() && last_uses_[o.at()] != kNone && last_uses_[o.at()] >= now_;
}

std::uint32_t body_code::spill_of(operand temporary) {
  const auto at = std::find(spilled_.begin(), spilled_.end(), temporary);
  return spills_at_ + std::uint32_t(at - spilled_.begin());
}

// One that holds nothing that is needed; else the one that was used longest ago.
unsigned body_code::free_register() {
  unsigned best = 0;
  const auto age = [this](const held& h) -> std::uint64_t {
    if (h.what.is_none() || (h.what.is_temporary() && !is_needed(h.what))) return 0;
    return h.used;
  };
  for (unsigned r = 1; r < kRegisters; ++r)
    if (age(registers_[r]) < age(registers_[best])) best = r;
  const operand old = registers_[best].what;
  if (is_needed(old) && std::find(spilled_.begin(), spilled_.end(), old) == spilled_.end() &&
      std::none_of(in_message_.begin(), in_message_.end(),
                   [old](const auto& m) { return m.first == old; })) {
    spilled_.push_back(old);
    spills_ = std::uint32_t(spilled_.size());
    add_access(event::kind::write, place::frame, region::frame, spill_of(old));
  }
  registers_[best] = {};
  return best;
}

void body_code::is_in_message(operand o, std::uint32_t at) { in_message_.emplace_back(o, at); }

void body_code::read(operand o) {
  const auto at = std::find_if(in_message_.begin(), in_message_.end(),
                               [o](const auto& m) { return m.first == o; });
  if (at != in_message_.end())
    add_access(event::kind::read, place::message, region::queue, at->second);
  else
    add_access(event::kind::read, place::frame, region::frame,
               o.is_slot() ? slots_at_ + o.at() : spill_of(o));
}

void body_code::add_with(operand o) {
  const unsigned r = find(o);
  if (r < kRegisters) {
    registers_[r].used = ++clock_;
    return add(1);
  }
  if (o.where() == space::constant || o.where() == space::string)
    return add(o.where() == space::string || is_short(p_, o) ? 1 : 2);
  read(o);
}

void body_code::load(operand o) {
  const unsigned known = find(o);
  if (known < kRegisters) {
    registers_[known].used = ++clock_;
    return;
  }
  const unsigned r = free_register();
  if (o.where() == space::constant || o.where() == space::string)
    add(1);
  else
    read(o);
  const bool is_kept = !o.is_slot() || !is_volatile || !is_volatile(o.at());
  registers_[r] = {is_kept ? o : operand{}, ++clock_};
}

void body_code::define(operand to) {
  std::erase_if(in_message_, [to](const auto& m) { return m.first == to; });
  const unsigned known = find(to);
  const unsigned r = known < kRegisters ? known : free_register();
  registers_[r] = {to, ++clock_};
  if (to.is_slot()) {
    store(to);
    if (is_volatile && is_volatile(to.at())) registers_[r] = {};
  }
}

void body_code::store(operand slot) {
  add_access(event::kind::write, place::frame, region::frame, slots_at_ + slot.at());
}

void body_code::forget_registers() {
  for (unsigned r = 0; r < kRegisters; ++r) free_register();
  registers_ = {};
}

}  // namespace study
