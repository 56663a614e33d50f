// SPDX-License-Identifier: Apache-2.0
// Tasks, frames, and how values come to those who wait for them.
#include "languages/id/interpret/machine.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace idc::interpret {

namespace {

constexpr std::size_t kBlockBytes = 1 << 20;

}  // namespace

machine::machine(const core::program& of) : program_(of), globals_(of.functions.size()) {}
machine::~machine() = default;

const cell& machine::run(std::span<const value> arguments) {
  result_ = {};
  frame* first = make_frame(*program_.main);
  first->result = &result_;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    fill(first->slots[program_.main->parameters[i]], arguments[i]);
  enter(*first);
  run_tasks();
  return result_;
}

std::byte* machine::allocate(std::size_t bytes) {
  if (static_cast<std::size_t>(free_end_ - free_at_) < bytes) {
    const std::size_t size = std::max(bytes, kBlockBytes);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    free_at_ = blocks_.back().get();
    free_end_ = free_at_ + size;
  }
  return std::exchange(free_at_, free_at_ + bytes);
}

cell* machine::make_cells(std::size_t count) {
  cell* made = reinterpret_cast<cell*>(allocate(count * sizeof(cell)));
  for (std::size_t i = 0; i < count; ++i) new (made + i) cell();
  return made;
}

// Frames that have ended are used again by functions with as many slots.
frame* machine::make_frame(const core::function& code) {
  const std::size_t slots = code.slots.size();
  if (free_.size() <= slots) free_.resize(slots + 1);
  frame* made;
  if (free_[slots].empty()) {
    made = new (allocate(sizeof(frame))) frame();
    made->slots = make_cells(slots);
  } else {
    made = free_[slots].back();
    free_[slots].pop_back();
    std::fill_n(made->slots, slots, cell());
  }
  made->code = &code;
  made->left = code.body->bindings.size();
  made->result = nullptr;
  made->result_owner = nullptr;
  made->before = nullptr;
  made->behind = live_;
  if (live_) live_->before = made;
  live_ = made;
  return made;
}

void machine::done(frame* f) {
  if (!f || --f->left != 0) return;
  (f->before ? f->before->behind : live_) = f->behind;
  if (f->behind) f->behind->before = f->before;
  free_[f->code->slots.size()].push_back(f);
}

bool machine::enter(frame& callee) {
  const auto& bindings = callee.code->body->bindings;
  tasks_.push_back({&callee, bindings.data(), bindings.data() + bindings.size()});
  return false;
}

// A task goes on until another frame's comes first; what is left of it is below that one.
void machine::run_tasks() {
  while (!tasks_.empty()) {
    task now = tasks_.back();
    tasks_.pop_back();
    while (now.at != now.end) {
      const core::binding& b = *now.at++;
      if (missing(*now.in, b)) continue;
      const std::size_t below = tasks_.size();
      if (execute(*now.in, b)) continue;
      if (now.at != now.end) tasks_.insert(tasks_.begin() + static_cast<long>(below), now);
      break;
    }
  }
}

// Not null: an operand that the binding needs is missing, and it waits.
const core::binding* machine::missing(frame& f, const core::binding& b) {
  const int strict = core::strict_operands(b.op);
  const std::size_t count =
      strict == core::kAll ? b.operands.size() : static_cast<std::size_t>(strict);
  for (std::size_t i = 0; i < count; ++i) {
    cell& c = f.slots[b.operands[i]];
    if (c.is_present()) continue;
    wait(c, {&f, nullptr, &b, false, nullptr});
    return &b;
  }
  return nullptr;
}

void machine::wait(cell& c, const waiter& w) {
  waiter* made = free_waiters_;
  if (made)
    free_waiters_ = made->next;
  else
    made = reinterpret_cast<waiter*>(allocate(sizeof(waiter)));
  new (made) waiter(w);
  made->next = c.waiting;
  c.waiting = made;
}

// Copies of copies are made one after the other.
void machine::fill(cell& c, value v) {
  wake(c, v);
  while (!copies_.empty()) {
    const copy next = copies_.back();
    copies_.pop_back();
    wake(*next.to, next.what);
    done(next.owner);
  }
}

void machine::wake(cell& c, value v) {
  waiter* w = std::exchange(c.waiting, &kPresentMark);
  c.holds = v;
  while (w) {
    waiter* const next = w->next;
    if (w->copy_to)
      copies_.push_back({w->copy_to, v, w->owner});
    else
      tasks_.push_back({w->owner, w->by, w->by + 1});
    w->next = free_waiters_;
    free_waiters_ = w;
    w = next;
  }
}

// `to` gets the value of `from`, now or later. `owner`: the frame of `to`, which waits for it.
void machine::link(const cell& from, cell& to, frame* owner) {
  if (from.is_present()) return fill(to, from.holds);
  if (owner) ++owner->left;
  wait(const_cast<cell&>(from), {owner, &to, nullptr, false, nullptr});
}

// As the result of a binding, which is done then.
void machine::link_result(cell& from, frame& f, const core::binding& b) {
  cell& to = f.slots[b.to];
  if (!from.is_present()) return wait(from, {&f, &to, &b, false, nullptr});
  fill(to, from.holds);
  done(&f);
}

}  // namespace idc::interpret
