// SPDX-License-Identifier: Apache-2.0
// A mutex that any thread may unlock. (SCALE Suite 1997, Table 1: threads that unblock each other.)
//
//   ult::unowned_mutex turn;
//   turn.lock();                                  // here
//   auto t = ult::spawn([&] { turn.unlock(); });  // and there
//
// ult::mutex belongs to the thread that locked it, and refuses this as a mistake; it is cheaper
// with several workers, and deadlock reports name its holder.
#pragma once

#include "ramjet/ult/semaphore.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

// lock and the timed tries belong in threads and may wait; they are no cancellation points.
// try_lock and unlock are legal in handlers. An unlock hands the mutex to the thread that has
// waited longest.
// std::unique_lock and its kin fit; condition_variable takes ult::mutex alone. A thread that locks
// it twice waits for another one to unlock it.
// Cost uncontended: no locked instruction with one worker, one for each call with several.
class unowned_mutex {
 public:
  constexpr unowned_mutex() = default;

  void lock() { static_cast<void>(try_lock_until(detail::kNoDeadline)); }
  bool try_lock() noexcept { return free_.try_acquire(); }
  // false: it was not free by then.
  bool try_lock_until(std::chrono::steady_clock::time_point when) {
    return free_.add(-1) > 0 ||
           free_.acquire_slow(when, detail::uncancellable, "mutex that any thread may unlock");
  }
  template <class Rep, class Period>
  bool try_lock_for(std::chrono::duration<Rep, Period> time) {
    return try_lock_until(detail::time_from_now(time));
  }
  // By any thread; ends the process if the mutex is free.
  void unlock() {
    const std::int64_t before = free_.add(1);
    RAMJET_CHECK(before <= 0, "unowned_mutex: unlock of a mutex that is free");
    if (before < 0) free_.release_slow();
  }

 private:
  semaphore free_{1};  // 1 unit: free; 0: locked; -n: locked, n threads wait
};

}  // namespace ramjet::ult

#pragma GCC visibility pop
