// SPDX-License-Identifier: Apache-2.0
// Threads that wait for something the library itself brings about: they are handed it, in the order
// of their coming, and nobody polls.
#pragma once

#include <atomic>
#include <cstdint>

#include "ramjet/ult/detail/deadline.hpp"
#include "ramjet/ult/detail/worker.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult::detail {

class wait_queue;

// A thread in a queue. Lies on its stack.
struct waiter : blocked_on {
  control* thread = nullptr;
  waiter* next = nullptr;
  waiter* previous = nullptr;
  wait_queue* queue = nullptr;
  bool queued = false;  // until it is taken out; guarded
  std::uintptr_t tag = 0;  // the object's own: what the thread came for
  // Asked, under the guard, before a wait is ended by time or cancellation: false if what it waits
  // for is on its way already. nullptr: it may end.
  bool (*give_up)(waiter&) = nullptr;
};

// A queue and the guard of the object it belongs to. The guard is held for some instructions, never
// across a switch; with one worker there is nobody to hold it against.
class wait_queue {
 public:
  void lock() noexcept;  // both inlined in the library (src/ult/guard.hpp)
  void unlock() noexcept;

  // The rest under the guard.
  bool empty() const noexcept { return first_ == nullptr; }
  waiter* first() const noexcept { return first_; }
  void push(waiter& one) noexcept {
    one.queue = this;
    one.queued = true;
    one.next = nullptr;
    one.previous = last_;
    (last_ != nullptr ? last_->next : first_) = &one;
    last_ = &one;
  }
  void remove(waiter& one) noexcept {
    (one.previous != nullptr ? one.previous->next : first_) = one.next;
    (one.next != nullptr ? one.next->previous : last_) = one.previous;
    one.queued = false;
  }
  waiter* pop() noexcept {
    waiter* one = first_;
    if (one != nullptr) remove(*one);
    return one;
  }

 private:
  RAMJET_COLD void lock_slow() noexcept;

  std::atomic<std::uint32_t> guard_{0};  // 1: held, by any worker
  waiter* first_ = nullptr;
  waiter* last_ = nullptr;
};

// Queues the running thread and blocks it; enters with the guard held, which it releases.
// false: the deadline came first. Throws `cancelled` where that is allowed.
bool wait_in(wait_queue& q, waiter& one, cancellation may_cancel = uncancellable,
             time_point deadline = kNoDeadline);

// Wakes a waiter that was popped. The guard need not be held any more: the waiter's memory is gone
// when this returns.
RAMJET_INLINE void hand_over(waiter* one) { ready(one->thread); }

}  // namespace ramjet::ult::detail

#pragma GCC visibility pop
