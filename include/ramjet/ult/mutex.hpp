// SPDX-License-Identifier: Apache-2.0
// Mutual exclusion between user-level threads. An unlock hands the mutex to the thread that has
// waited longest. Names as in the standard library; std::lock_guard and its kin fit.
// Not for handlers, except try_lock; not for system threads that are not workers.
#pragma once

#include <chrono>

#include "ramjet/ult/detail/wait_queue.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

// A mutex with timed tries. Belongs to the thread that locked it, at whatever worker that is.
// It is destroyed when no call of it is under way, an unlock that has let another one in included.
// Cost uncontended: no locked instruction with one worker; with several, one, until two workers
// have met at it for the first time, and two from then on.
class mutex {
 public:
  constexpr mutex() = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  // Waits until it is free; ends the process if this thread holds it already.
  RAMJET_INLINE void lock() {
    if (!take(mine())) [[unlikely]]
      lock_slow(detail::kNoDeadline);
  }
  // After 64 failures, or more, it yields the processor; so do the try_ calls of all classes here.
  RAMJET_INLINE bool try_lock() {
    if (take(mine())) [[likely]]
      return true;
    detail::note_failed_try();
    return false;
  }
  // false: it was not free by then.
  bool try_lock_until(std::chrono::steady_clock::time_point when) {
    return take(mine()) || lock_slow(when);
  }
  template <class Rep, class Period>
  bool try_lock_for(std::chrono::duration<Rep, Period> time) {
    return try_lock_until(detail::time_from_now(time));
  }
  // By the thread that holds it; ends the process in any other. unowned_mutex.hpp has a mutex that
  // any thread may unlock.
  RAMJET_INLINE void unlock() {
    const std::uintptr_t me = mine();
    std::uintptr_t held = word_.load(std::memory_order_relaxed);
    if (held != me) [[unlikely]]
      return unlock_slow();
    if (detail::worker_mode == detail::one_worker) {
      word_.store(0, std::memory_order_relaxed);
    } else if (detail::worker_mode == detail::many_workers &&
               !met_.load(std::memory_order_relaxed)) {
      word_.store(0, std::memory_order_release);  // pairs: ult.mutex
      // store-load: ult.mutex_met (unlocker)
      std::atomic_signal_fence(std::memory_order_seq_cst);  // stored before the load; see lock_slow
      if (met_.load(std::memory_order_relaxed)) [[unlikely]]
        unlock_met();
      // pairs: ult.mutex
    } else if (!word_.compare_exchange_strong(held, 0, std::memory_order_release,
                                              std::memory_order_relaxed)) {
      unlock_slow();
    }
  }

 private:
  friend class condition_variable;
  friend class recursive_mutex;

  static RAMJET_INLINE std::uintptr_t mine() noexcept {
    return held_by(detail::this_worker()->self->who);
  }
  static std::uintptr_t held_by(const detail::descriptor* who) noexcept {
    return reinterpret_cast<std::uintptr_t>(who) | kHeld;
  }
  static std::uint32_t number_of_holder(std::uintptr_t word) noexcept;

  RAMJET_INLINE bool take(std::uintptr_t me) noexcept {
    std::uintptr_t free = 0;
    if (detail::worker_mode == detail::one_worker) {
      if (word_.load(std::memory_order_relaxed) != 0) return false;
      word_.store(me, std::memory_order_relaxed);
      return true;
    }
    // pairs: ult.mutex
    return word_.compare_exchange_strong(free, me, std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }
  // Out of line, but not cold: threads that hand a mutex to each other go this way every time.
  bool lock_slow(detail::time_point deadline);
  void wait_at_lone_worker(detail::worker* w, std::uintptr_t held);
  void unlock_slow();
  RAMJET_COLD void unlock_met();
  void hand_on();

  // By the holder's descriptor, which no other living thread has. Its control block is another's,
  // too, while it lends its stack; numbers come again. A handler has none.
  static constexpr std::uintptr_t kWaited = 1, kHeld = 2;
  std::atomic<std::uintptr_t> word_{0};  // the descriptor + kHeld + kWaited; 0: free
  std::atomic<bool> met_{false};  // threads have waited here while several workers run
  detail::wait_queue waiters_;  // not empty: word_ has kWaited, but for an unlock under way
};

using timed_mutex = mutex;

// A mutex that its holder may lock again; free after as many unlocks.
class recursive_mutex {
 public:
  void lock() {
    if (!again()) {
      mutex_.lock();
      enter();
    }
  }
  bool try_lock() {
    if (again()) return true;
    const bool got = mutex_.try_lock();
    if (got) enter();
    return got;
  }
  template <class Rep, class Period>
  bool try_lock_for(std::chrono::duration<Rep, Period> time) {
    if (again()) return true;
    const bool got = mutex_.try_lock_for(time);
    if (got) enter();
    return got;
  }
  void unlock() {
    RAMJET_CHECK(holder_.load(std::memory_order_relaxed) == me(),
                 "recursive_mutex::unlock by a thread that does not hold it");
    if (--depth_ != 0) return;
    holder_.store(0, std::memory_order_relaxed);
    mutex_.unlock();
  }

 private:
  static std::uintptr_t me() noexcept { return mutex::mine(); }
  // Never in a handler, which is no thread: what it holds may be another handler's.
  bool again() noexcept {
    if (holder_.load(std::memory_order_relaxed) != me()) return false;
    if (detail::this_worker()->self->who == nullptr) return false;
    ++depth_;
    return true;
  }
  void enter() noexcept {
    holder_.store(me(), std::memory_order_relaxed);
    depth_ = 1;
  }

  mutex mutex_;
  std::atomic<std::uintptr_t> holder_{0};  // mutex::mine(); a thread only compares it with its own
  unsigned depth_ = 0;
};

}  // namespace ramjet::ult

#pragma GCC visibility pop
