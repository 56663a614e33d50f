// SPDX-License-Identifier: Apache-2.0
// The updates and their check. Every rank has a list of random indices, and goes through it by the
// global address space and, for the limit, by plain addresses. (Maley and DeVinney 2019,
// Conveyors for Streaming Many-To-Many Communication: bale's histogram.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../measured/spread_table.hpp"
#include "options.hpp"

namespace histogram {

// What this rank's counters must be after each rank has gone through its list `rounds` times. Needs
// no other rank.
std::vector<std::uint64_t> expected_counters(const options& o, std::uint64_t mine,
                                             std::uint64_t rounds);

// Counters that are not what they must be.
std::uint64_t wrong_counters(std::span<const std::uint64_t> found,
                             std::span<const std::uint64_t> expected);

// What the updates of counters that began at 0 fetched in all, modulo 2^64.
std::uint64_t sum_fetched(std::span<const std::uint64_t> counters);

struct result {
  double seconds = 0;  // of a round as the options have it
  double limit_seconds = 0;  // by plain addresses; 0: the ranks are on several machines
  std::uint64_t rounds = 0;
  std::uint64_t sum = 0;  // of all counters
  std::uint64_t wrong = 0;  // counters
  std::uint64_t checksum = 0;  // of the counters divided by rounds: the same for any number of them
};

// Collective; the same result in all ranks.
result measure(const options& o);

}  // namespace histogram
