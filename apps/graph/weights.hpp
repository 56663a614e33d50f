// SPDX-License-Identifier: Apache-2.0
// Lengths of edges: whole numbers that are a function of the seed and the two ends, so that both
// owners know them without a message. Parallel edges have the same.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../measured/random_words.hpp"
#include "edges.hpp"

namespace graph {

class edge_weights {
 public:
  // From 1 to `most`, which is less than 2^32.
  constexpr explicit edge_weights(std::uint64_t most = 1, std::uint64_t seed = 0)
      : most_(most), key_(measured::scrambled(seed + 1)) {}

  constexpr std::uint32_t most() const { return static_cast<std::uint32_t>(most_); }
  constexpr std::uint32_t operator()(vertex v, vertex w) const {
    if (most_ == 1) return 1;
    const std::uint64_t ends = std::uint64_t{std::min(v, w)} << 32 | std::max(v, w);
    return static_cast<std::uint32_t>(1 + ((measured::scrambled(key_ ^ ends) >> 32) * most_ >> 32));
  }

 private:
  std::uint64_t most_, key_;
};

}  // namespace graph
