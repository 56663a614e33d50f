// SPDX-License-Identifier: Apache-2.0
// How far a machine's pace changes while it is measured: one and the same thing is timed again and
// again between the others.
#pragma once

#include <algorithm>

namespace characterize {

class drift_watch {
 public:
  void note(double ns) {
    fastest_ns_ = fastest_ns_ == 0 ? ns : std::min(fastest_ns_, ns);
    slowest_ns_ = std::max(slowest_ns_, ns);
  }
  // The slowest over the fastest; 1 before anything was noted.
  double ratio() const { return fastest_ns_ > 0 ? slowest_ns_ / fastest_ns_ : 1; }

 private:
  double fastest_ns_ = 0, slowest_ns_ = 0;
};

// From which ratio on it is said: of one core's reads; and of what ranks do together, where the
// next ratio is told from noise.
inline constexpr double kCoreDrift = 1.1;
inline constexpr double kRankDrift = 1.25;

}  // namespace characterize
