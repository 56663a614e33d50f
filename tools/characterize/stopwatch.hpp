// SPDX-License-Identifier: Apache-2.0
// The time since it was made.
#pragma once

#include <chrono>

namespace characterize {

class stopwatch {
 public:
  double ns() const {
    return std::chrono::duration<double, std::nano>(clock::now() - begin_).count();
  }
  double seconds() const { return ns() / 1e9; }

 private:
  using clock = std::chrono::steady_clock;

  clock::time_point begin_ = clock::now();
};

}  // namespace characterize
