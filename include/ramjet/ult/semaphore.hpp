// SPDX-License-Identifier: Apache-2.0
// A counting semaphore between user-level threads; a release hands its unit to the thread that has
// waited longest. acquire and the timed tries are cancellation points; the rest is legal in
// handlers.
#pragma once

#include <chrono>
#include <cstdint>

#include "ramjet/ult/detail/wait_queue.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

// Cost uncontended: no locked instruction with one worker, one for each call with several.
class semaphore {
 public:
  constexpr explicit semaphore(std::int64_t units) : units_(units) {}
  semaphore(const semaphore&) = delete;
  semaphore& operator=(const semaphore&) = delete;

  // Takes a unit; waits for one.
  RAMJET_INLINE void acquire() {
    if (add(-1) <= 0) [[unlikely]]
      static_cast<void>(acquire_slow(detail::kNoDeadline));
  }
  // The same, and no cancellation point.
  void acquire_uncancellable() {
    if (add(-1) <= 0) static_cast<void>(acquire_slow(detail::kNoDeadline, detail::uncancellable));
  }
  bool try_acquire() noexcept {
    std::int64_t now = units_.load(std::memory_order_relaxed);
    while (now > 0)
      if (units_.compare_exchange_weak(now, now - 1)) return true;
    detail::note_failed_try();
    return false;
  }
  // false: none came by then.
  bool try_acquire_until(std::chrono::steady_clock::time_point when) {
    return add(-1) > 0 || acquire_slow(when);
  }
  template <class Rep, class Period>
  bool try_acquire_for(std::chrono::duration<Rep, Period> time) {
    return try_acquire_until(detail::time_from_now(time));
  }
  // Gives a unit.
  RAMJET_INLINE void release() {
    if (add(1) < 0) [[unlikely]]
      release_slow();
  }
  void release(std::int64_t units) {
    for (; units > 0; --units) release();
  }

 private:
  friend class unowned_mutex;

  // units_ as it was before.
  RAMJET_INLINE std::int64_t add(std::int64_t by) noexcept {
    if (detail::worker_mode != detail::one_worker)
      return units_.fetch_add(by, std::memory_order_acq_rel);  // pairs: ult.semaphore
    const std::int64_t before = units_.load(std::memory_order_relaxed);
    units_.store(before + by, std::memory_order_relaxed);
    return before;
  }
  // Out of line, but not cold, as in mutex. `what`: for reports.
  bool acquire_slow(detail::time_point deadline,
                    detail::cancellation may_cancel = detail::cancellable,
                    const char* what = "semaphore");
  void release_slow();

  // Units given - units requested. At -n, n threads wait, or are about to.
  std::atomic<std::int64_t> units_;
  std::int64_t early_ = 0;  // releases that found nobody in the queue yet; guarded
  detail::wait_queue waiters_;
  static bool give_up(detail::waiter& one);
};

}  // namespace ramjet::ult

#pragma GCC visibility pop
