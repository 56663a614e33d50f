// SPDX-License-Identifier: Apache-2.0
// Activations: their frames, what they are sent, and which of them are left at the end.
#include <algorithm>

#include "languages/tam/tl0/run/state.hpp"

namespace tl0 {
namespace {

constexpr index kNoInlet = 0xffff;
constexpr std::size_t kReported = 8;  // frames and elements

}  // namespace

word machine::name_of(const frame& f, index inlet) const {
  const index number = inlet == kNone ? kNoInlet : inlet - p_.blocks[f.block].inlets.first;
  return word{f.number} << 32 | word{f.given} << 16 | number;
}

std::string machine::said(const frame& f) const {
  return "frame " + std::to_string(f.number) + " of '" + p_.name(p_.blocks[f.block].name) + "'" +
         (f.made_by == kNone ? "" : ", made at " + spelling(p_, p_.positions[f.made_by]));
}

machine::frame* machine::make_frame(index block, index at) {
  const code_block& of = p_.blocks[block];
  if (free_[block].empty()) {
    if (frames_.size() >= kNone) wrong(at, "there are no more numbers for frames");
    free_[block].push_back(static_cast<index>(frames_.size()));
    frames_.push_back(std::make_unique<frame>());
    frame& made = *frames_.back();
    made.number = free_[block].back();
    made.block = block;
    made.slots.resize(of.slots.count);
  }
  frame& made = *frames_[free_[block].back()];
  free_[block].pop_back();
  made.lives = true;
  made.made_by = at;
  made.got.assign(of.inlets.count, false);
  made.left.resize(of.threads.count);
  for (index t = 0; t < of.threads.count; ++t)
    made.left[t] = p_.threads[of.threads.first + t].entry_count;
  ++counts_.activations;
  counts_.frames_max = std::max<std::uint64_t>(counts_.frames_max, ++frames_now_);
  return &made;
}

void machine::free_frame() {
  frame& f = *now_;
  if (!f.enabled.empty())
    wrong(body_->instructions.first, "the activation is freed, and its thread '" +
                                         p_.name(p_.threads[f.enabled.back()].name) +
                                         "' is enabled");
  f.lives = false;
  ++f.given;
  free_[f.block].push_back(f.number);
  freed_ = true;
  --frames_now_;
}

machine::frame& machine::frame_of(word name, index at) {
  const word number = name >> 32;
  if (number >= frames_.size()) wrong(at, "this names no frame");
  frame& f = *frames_[number];
  if (!f.lives || f.given != (name >> 16 & 0xffff))
    wrong(at, "a message to an activation of '" + p_.name(p_.blocks[f.block].name) +
                  "' that is freed already");
  return f;
}

void machine::send_to(word name, const word* arguments, index at) {
  frame& f = frame_of(name, at);
  const index number = name & 0xffff;
  const range inlets = p_.blocks[f.block].inlets;
  if (number >= inlets.count) wrong(at, "this names no inlet");
  deliver(f, inlets.first + number, arguments, at);
}

// The inlet is executed at once.
void machine::deliver(frame& to, index inlet_index, const word* arguments, index) {
  const inlet& in = p_.inlets[inlet_index];
  ++counts_.messages;
  to.got[inlet_index - p_.blocks[to.block].inlets.first] = true;
  for (index i = 0; i < in.parameters.count; ++i) {
    const operand at = p_.parameters[in.parameters.first + i].to;
    (at.is_slot() ? to.slots : inlet_temporaries_)[at.at()] = arguments[i];
  }
  if (in.code.instructions.count != 0) execute_inlet(to, in);
  if (in.counter != kNone) {
    word& left = to.slots[in.counter - p_.blocks[to.block].slots.first];
    if (--left != 0) return;
  }
  for (index i = in.posts.first; i < in.posts.end(); ++i) enable(to, p_.posts[i]);
}

void machine::execute_inlet(frame& f, const inlet& in) {
  word* const saved[] = {bases_[0], bases_[1]};
  frame* const sender = now_;
  const body* const sent_by = body_;
  bases_[0] = f.slots.data();
  bases_[1] = inlet_temporaries_.data();
  now_ = &f;
  body_ = &in.code;
  const range code = in.code.instructions;
  for (index at = code.first; at < code.end(); ++at) {
    const instruction& it = p_.instructions[at];
    ++counts_.instructions;
    try {
      set(it.to, is_operation(it.op) ? apply(it.op, get(it.a), it.b.is_none() ? 0 : get(it.b))
                                     : value_of(it, at));
    } catch (const no_value& none) {
      wrong(at, none.why);
    }
  }
  now_ = sender;
  body_ = sent_by;
  std::copy(std::begin(saved), std::end(saved), bases_);
}

void machine::enable(frame& f, index thread_index) {
  const thread& t = p_.threads[thread_index];
  index& left = f.left[thread_index - p_.blocks[f.block].threads.first];
  if (--left != 0) return;
  left = t.entry_count;
  push(f, thread_index);
}

void machine::push(frame& f, index thread) {
  if (std::find(f.enabled.begin(), f.enabled.end(), thread) != f.enabled.end())
    throw execution_error(p_.threads[thread].where,
                          "thread '" + p_.name(p_.threads[thread].name) +
                              "' is enabled again before it is executed: an inlet got a message "
                              "more than it may (" +
                              said(f) + ")");
  f.enabled.push_back(thread);
  if (f.is_ready) return;
  f.is_ready = true;
  ready_.push_back(&f);
}

// ", thread 'add' has 1 of 2 entries"; ", inlet 'left' had no message"
std::string machine::waiting_threads(const frame& f) const {
  const code_block& b = p_.blocks[f.block];
  std::string text;
  for (index t = 0; t < b.threads.count; ++t) {
    const thread& of = p_.threads[b.threads.first + t];
    if (f.left[t] == of.entry_count) continue;
    text += "\n    thread '" + p_.name(of.name) + "' (" + spelling(p_, of.where) + ") has " +
            std::to_string(of.entry_count - f.left[t]) + " of " + std::to_string(of.entry_count) +
            " entries";
  }
  for (index i = 0; i < b.inlets.count; ++i) {
    const inlet& of = p_.inlets[b.inlets.first + i];
    if (!f.got[i])
      text +=
          "\n    inlet '" + p_.name(of.name) + "' (" + spelling(p_, of.where) + ") had no message";
    else if (of.counter != kNone && f.slots[of.counter - b.slots.first] != 0)
      text += "\n    inlet '" + p_.name(of.name) + "' (" + spelling(p_, of.where) + ") wants " +
              std::to_string(static_cast<std::int64_t>(f.slots[of.counter - b.slots.first])) +
              " more messages";
  }
  return text;
}

void machine::deadlock() {
  std::string text = "deadlock: nothing is left to execute, and " + std::to_string(frames_now_) +
                     (frames_now_ == 1 ? " activation waits" : " activations wait");
  std::size_t said_count = 0;
  const frame* first = nullptr;
  for (const auto& f : frames_) {
    if (!f->lives) continue;
    if (!first) first = f.get();
    if (++said_count > kReported) continue;
    text += "\n  " + said(*f) + waiting_threads(*f);
  }
  if (said_count > kReported) text += "\n  and " + std::to_string(said_count - kReported) + " more";
  text += outstanding(kReported);
  throw execution_error(p_.blocks[first->block].where, text);
}

}  // namespace tl0
