// SPDX-License-Identifier: Apache-2.0
// Whether a start has stood still for too long. Time without a step is limited, not the time that
// a start takes: a large job on few processors needs minutes.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <utility>

namespace ramjet::mesh {

class standstill {
 public:
  standstill(std::uint64_t limit_ns, std::uint64_t steps) : limit_ns_(limit_ns), steps_(steps) {}

  // After a wait of `waited_ns`, in which the count of steps came to `steps`: true once no step was
  // made for the limit.
  bool is_over(std::uint64_t steps, std::uint64_t waited_ns) {
    idle_ns_ = std::exchange(steps_, steps) == steps ? idle_ns_ + waited_ns : 0;
    return idle_ns_ >= limit_ns_;
  }

 private:
  const std::uint64_t limit_ns_;
  std::uint64_t steps_;
  std::uint64_t idle_ns_ = 0;
};

}  // namespace ramjet::mesh
