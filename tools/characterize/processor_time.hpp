// SPDX-License-Identifier: Apache-2.0
// The share of its time for which the calling thread was ready to run and had no processor.
#pragma once

#include <cstdint>

namespace characterize {

class processor_time {
 public:
  processor_time();  // begins now
  // 0 to 1; 0 where the system does not tell.
  double lost() const;

 private:
  std::uint64_t ran_ns_ = 0, waited_ns_ = 0;  // at the beginning
};

}  // namespace characterize
