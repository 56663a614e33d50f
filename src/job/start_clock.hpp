// SPDX-License-Identifier: Apache-2.0
// How long a rank waits for the others of its node while a job starts.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.hpp"
#include "job/join.hpp"

namespace ramjet::job {

inline constexpr unsigned kStartPatienceS = 60;  // for ranks that no launcher of ours watches

// Says after a while that a rank of this node is late. Where our launcher watches, it notices.
class start_clock {
 public:
  bool is_late(std::string& message) const {
    if (self().launched || base::now_ns() - start_ns_ < kStartPatienceS * 1'000'000'000ull)
      return false;
    message = "a rank";
    for (unsigned r = 0; r < self().ranks; ++r) {
      const auto state = self().line(r).state.load(std::memory_order_relaxed);
      if (!self().near(r) || int(r) == self().rank || rank_state(state) != rank_state::absent)
        continue;
      message += " (" + std::to_string(r) + ")";
      break;
    }
    message += " did not join the job within " + std::to_string(kStartPatienceS) + " s";
    return true;
  }

 private:
  std::uint64_t start_ns_ = base::now_ns();
};

}  // namespace ramjet::job
