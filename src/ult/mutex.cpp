// SPDX-License-Identifier: Apache-2.0
// Handing a mutex on. An unlock at several workers is a plain store as long as no two threads have
// met at the mutex: the first one that has to wait raises `met`, and imposes a barrier on all
// workers. An unlocker's store then either came before the barrier, and the waiter sees the mutex
// free; or its load of `met` comes after it, and it goes to serve the queue.
#include "ramjet/ult/mutex.hpp"

#include "base/futex.hpp"
#include "ramjet/ult/thread.hpp"
#include "ult/guard.hpp"

namespace ramjet::ult {

using namespace detail;

// The holder cannot unlock meanwhile: its descriptor is there.
std::uint32_t mutex::number_of_holder(std::uintptr_t word) noexcept {
  const auto* who = reinterpret_cast<const descriptor*>(word & ~(kWaited | kHeld));
  return who == nullptr ? 0 : who->id;
}

// With one worker nothing happens between two steps: none of them is atomic, and there is no guard.
RAMJET_INLINE void mutex::wait_at_lone_worker(worker* w, std::uintptr_t held) {
  word_.store(held | kWaited, std::memory_order_relaxed);
  waiter one;
  one.what = "mutex";
  one.object = this;
  one.owner = number_of_holder(held);
  one.thread = w->self;
  waiters_.push(one);
  suspend(w, one);
}

bool mutex::lock_slow(time_point deadline) {
  worker* w = blocking_worker("mutex");
  const std::uintptr_t me = held_by(w->self->who);
  std::uintptr_t held = word_.load(std::memory_order_relaxed);
  RAMJET_CHECK((held & ~kWaited) != me,
               "mutex: this thread holds it already (recursive_mutex allows that)");
  const bool lone = worker_mode == one_worker && deadline == kNoDeadline;
  if (lone && held != 0) [[likely]] {
    wait_at_lone_worker(w, held);
    return true;
  }
  if (take(me)) {
    note_acquire(&word_);
    return true;
  }
  // store-load: ult.mutex_met (waiter)
  if (worker_mode != one_worker && !met_.exchange(true, std::memory_order_seq_cst) &&
      worker_mode == many_workers)
    // store-load: ult.mutex_met (waiter)
    base::global_barrier();
  waiters_.lock();
  held = word_.load(std::memory_order_relaxed);
  for (;;) {
    const std::uintptr_t next = held == 0 ? me | (waiters_.empty() ? 0 : kWaited) : held | kWaited;
    // pairs: ult.mutex
    if (!word_.compare_exchange_weak(held, next, std::memory_order_acquire,
                                     std::memory_order_relaxed))
      continue;
    if (held != 0) break;
    note_acquire(&word_);
    waiters_.unlock();
    return true;
  }
  waiter one;
  one.what = "mutex";
  one.object = this;
  one.owner = number_of_holder(held);
  if (deadline != kNoDeadline) [[unlikely]]
    return wait_in(waiters_, one, uncancellable, deadline);
  one.thread = w->self;
  waiters_.push(one);
  waiters_.unlock();
  suspend(w, one);
  return true;
}

// Under the guard, the mutex held by the caller: the next one holds it, or it is free.
RAMJET_INLINE void mutex::hand_on() {
  waiter* next = waiters_.pop();
  const std::uintptr_t holder =
      next == nullptr ? 0 : held_by(next->thread->who) | (waiters_.empty() ? 0 : kWaited);
  note_release(&word_);
  word_.store(holder, std::memory_order_release);  // pairs: ult.mutex
  waiters_.unlock();
  if (next != nullptr) hand_over(next);
}

void mutex::unlock_slow() {
  RAMJET_CHECK(word_.load(std::memory_order_relaxed) == (mine() | kWaited),
               "mutex: unlock by a thread that does not hold it");
  waiters_.lock();
  hand_on();
}

// The mutex was freed while somebody came to wait. If nobody has taken it meanwhile, it is taken
// for the one who waits; else its word says that somebody waits.
void mutex::unlock_met() {
  waiters_.lock();
  std::uintptr_t held = word_.load(std::memory_order_relaxed);
  while (!waiters_.empty()) {
    const std::uintptr_t next = held == 0 ? mine() | kWaited : held | kWaited;
    // pairs: ult.mutex
    if (!word_.compare_exchange_weak(held, next, std::memory_order_acquire,
                                     std::memory_order_relaxed))
      continue;
    if (held != 0) break;
    note_acquire(&word_);
    return hand_on();
  }
  waiters_.unlock();
}

}  // namespace ramjet::ult
