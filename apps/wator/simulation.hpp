// SPDX-License-Identifier: Apache-2.0
// The program: half step after half step, each with the loop of the paper, which reads a cell and
// then computes. (Schauser et al. 1996, section 5.3.) Who is about to move computes, so the time
// between two reads differs from place to place and from rank to rank.
#pragma once

#include <cstdint>
#include <vector>

#include "options.hpp"
#include "rules.hpp"
#include "waits.hpp"

namespace wator {

struct population {
  std::uint64_t fish = 0, sharks = 0;
  friend bool operator==(const population&, const population&) = default;
};

struct outcome {
  std::vector<population> populations;  // at first, and after each step
  tally happened;                       // in all
  std::uint64_t checksum = 0;           // of the sea at the end
  double seconds = 0;                   // of the steps
  // What a fish computes is 1. work <= ranks * work_busiest.
  std::uint64_t work = 0;          // of all ranks
  std::uint64_t work_busiest = 0;  // of the rank that has the most in each half step
  waits reads;                          // of cells of other ranks
};

// Collective; the same in all ranks. Throws measured::failure if fish or sharks came from nowhere.
outcome simulate(const options& o);

}  // namespace wator
