// SPDX-License-Identifier: Apache-2.0
// Seeded indices, others for each rank.
#pragma once

#include <cstdint>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "random_words.hpp"

namespace measured {

// Indices below `below`, from this rank's stream of the seed.
inline std::vector<std::uint32_t> random_indices(std::uint64_t seed, std::uint64_t count,
                                                 std::uint64_t below) {
  random_words words({seed, static_cast<std::uint64_t>(ramjet::rank())});
  std::vector<std::uint32_t> list(count);
  for (std::uint32_t& i : list) i = static_cast<std::uint32_t>(words.next_below(below));
  return list;
}

}  // namespace measured
