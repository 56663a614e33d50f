// SPDX-License-Identifier: Apache-2.0
// One line on stderr that says how far a long measurement is. Silent where stderr is no terminal,
// at all ranks but kRoot, and for the first second.
#pragma once

#include <chrono>
#include <cstddef>

namespace em3d {

class progress {
 public:
  explicit progress(std::size_t runs);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  // The next run begins.
  void next(const char* version, unsigned remote_percent);

 private:
  using clock = std::chrono::steady_clock;

  std::size_t runs_;
  std::size_t begun_ = 0;
  bool terminal_;
  bool drawn_ = false;
  clock::time_point due_;
};

}  // namespace em3d
