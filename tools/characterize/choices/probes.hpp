// SPDX-License-Identifier: Apache-2.0
// Measures the ways among which the library chooses by the machine's profile: each figure is forced
// to one value after the other, in turn at each size, so that noise affects all values equally.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/characterize/choices/comparison.hpp"
#include "tools/characterize/choices/keeping.hpp"

namespace characterize {

struct choice_plan {
  unsigned rounds = 25;  // samples of each value, whose lower quartile counts
  bool quick = false;  // every second size
  // The profile in use is one of the forced values, and the first; sizes begin at 8 bytes.
  bool checks = false;
};

struct compared {
  std::vector<comparison> all;
  conditions measured;  // the drift of a round trip, or a barrier, measured again and again
};

// Collective over a job of two ranks, whose memory is near each other or far. At rank 0.
compared compare_for_pair(const choice_plan& plan);

// Collective over a job of any ranks: of collectives. At rank 0, of use where there are three.
compared compare_for_crowd(const choice_plan& plan);

// What a yield of the processor takes at most if nobody else wants it, in ns.
double lone_yield_ns();

}  // namespace characterize
