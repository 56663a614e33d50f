// SPDX-License-Identifier: Apache-2.0
// For tests of what happens where all share one processor.
#pragma once

#include <sched.h>

namespace harness {

// While it lives, the calling thread and those that it starts run on the first processor that it
// may use.
class on_one_processor {
  cpu_set_t before_;
  bool holds_ = false;

 public:
  on_one_processor() {
    if (::sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    unsigned first = 0;
    while (!CPU_ISSET(first, &before_)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    holds_ = ::sched_setaffinity(0, sizeof one, &one) == 0;
  }
  ~on_one_processor() {
    if (holds_) static_cast<void>(::sched_setaffinity(0, sizeof before_, &before_));
  }
  on_one_processor(const on_one_processor&) = delete;
  on_one_processor& operator=(const on_one_processor&) = delete;

  bool holds() const noexcept { return holds_; }
};

}  // namespace harness
