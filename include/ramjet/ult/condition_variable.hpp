// SPDX-License-Identifier: Apache-2.0
// The condition variable of the standard library, for user-level threads. Where the condition is
// about a few variables, wait_until (condition.hpp) says the same with less.
#pragma once

#include <condition_variable>
#include <mutex>

#include "ramjet/ult/mutex.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

// Waits are cancellation points, with the mutex held when `cancelled` is thrown. notify_one and
// notify_all are legal in handlers. No spurious wakes. Destroyed when nobody waits any more: with
// several workers a wait that has a deadline, or may be cancelled, has ended, not only been
// notified.
class condition_variable {
 public:
  condition_variable() = default;
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  void notify_one();
  void notify_all();

  void wait(std::unique_lock<mutex>& held) { wait_until(held, detail::kNoDeadline); }
  template <class Test>
  void wait(std::unique_lock<mutex>& held, Test test) {
    while (!test()) wait(held);
  }
  std::cv_status wait_until(std::unique_lock<mutex>& held,
                            std::chrono::steady_clock::time_point when);
  template <class Test>
  bool wait_until(std::unique_lock<mutex>& held, std::chrono::steady_clock::time_point when,
                  Test test) {
    while (!test())
      if (wait_until(held, when) == std::cv_status::timeout) return test();
    return true;
  }
  template <class Rep, class Period>
  std::cv_status wait_for(std::unique_lock<mutex>& held, std::chrono::duration<Rep, Period> time) {
    return wait_until(held, detail::time_from_now(time));
  }
  template <class Rep, class Period, class Test>
  bool wait_for(std::unique_lock<mutex>& held, std::chrono::duration<Rep, Period> time, Test test) {
    return wait_until(held, detail::time_from_now(time), std::move(test));
  }

 private:
  detail::wait_queue waiters_;
};

}  // namespace ramjet::ult

#pragma GCC visibility pop
