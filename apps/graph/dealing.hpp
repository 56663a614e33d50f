// SPDX-License-Identifier: Apache-2.0
// Deals the edges of a file out to the ranks in turn, while every rank reads all of them.
#pragma once

#include <cstdint>

#include "edge_share.hpp"

namespace graph {

class dealing {
 public:
  dealing(int rank, int ranks)
      : rank_(static_cast<std::uint64_t>(rank)), ranks_(static_cast<std::uint64_t>(ranks)) {}

  void add(std::uint64_t a, std::uint64_t b) {
    if (share.edges++ % ranks_ != rank_) return;
    share.mine.push_back({static_cast<vertex>(a), static_cast<vertex>(b)});
  }

  edge_share share;

 private:
  std::uint64_t rank_, ranks_;
};

}  // namespace graph
