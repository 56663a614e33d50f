// SPDX-License-Identifier: Apache-2.0
// Barriers and latches between user-level threads. Waits are cancellation points; counting down is
// legal in handlers.
#pragma once

#include <cstddef>

#include "ramjet/detail/base/check.hpp"
#include "ramjet/ult/detail/wait_queue.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

// Lets threads go on once `count` >= 1 of them have arrived, again and again. An arrival after all
// have dropped out ends the process.
class barrier {
 public:
  explicit barrier(std::ptrdiff_t count) : count_(count), missing_(count) {
    RAMJET_CHECK(count >= 1, "a barrier is of at least one thread");
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  void arrive_and_wait();
  // Arrives, and is not expected any more in the rounds to come.
  void arrive_and_drop();

 private:
  bool arrive();    // under the guard; whether all have arrived
  void complete();  // under the guard, which it releases

  std::ptrdiff_t count_;    // threads of a round; guarded, as all here
  std::ptrdiff_t missing_;  // of them, in this round
  detail::wait_queue waiters_;
};

// Lets threads go on once it has been counted down from `count` >= 0 to 0; once.
class latch {
 public:
  explicit latch(std::ptrdiff_t count) : left_(count) {
    RAMJET_CHECK(count >= 0, "a latch counts down from 0 or more");
  }
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  void count_down(std::ptrdiff_t by = 1);
  bool try_wait() noexcept;
  void wait();
  void arrive_and_wait() {
    count_down();
    wait();
  }

 private:
  std::ptrdiff_t left_;  // guarded
  detail::wait_queue waiters_;
};

}  // namespace ramjet::ult

#pragma GCC visibility pop
