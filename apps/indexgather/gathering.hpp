// SPDX-License-Identifier: Apache-2.0
// The reads and their check. Every rank has a list of random indices, and gathers the words there
// by the global address space and, for the limit, by plain addresses. (Maley and DeVinney 2019,
// Conveyors for Streaming Many-To-Many Communication: bale's indexgather.)
#pragma once

#include <cstdint>
#include <span>

#include "options.hpp"

namespace indexgather {

// The word of the table at an index.
std::uint64_t word_at(const options& o, std::uint64_t index);

// Gathered words that are not those at the indices.
std::uint64_t wrong_words(const options& o, std::span<const std::uint64_t> gathered,
                          std::span<const std::uint32_t> indices);

struct result {
  double seconds = 0;        // of a round by the global address space
  double limit_seconds = 0;  // by plain addresses; 0: the ranks are on several machines
  std::uint64_t wrong = 0;     // words, of all rounds
  std::uint64_t checksum = 0;  // of the words of a round
};

// Collective; the same result in all ranks.
result measure(const options& o);

}  // namespace indexgather
