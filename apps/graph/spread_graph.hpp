// SPDX-License-Identifier: Apache-2.0
// An undirected graph over all ranks, as compressed sparse rows: a rank has a block of vertices,
// and of each of them all neighbours. An edge is stored at both of its ends, a loop twice at its
// one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "edges.hpp"

namespace graph {

// Blocks of vertices of nearly one length, a block to a rank.
class ownership {
 public:
  ownership(std::uint64_t vertices, int ranks)
      : vertices_(vertices), factor_((static_cast<std::uint64_t>(ranks) << kShift) / vertices) {}

  int owner_of(vertex v) const { return static_cast<int>(v * factor_ >> kShift); }
  // The first vertex of a rank; for the number of ranks that of vertices.
  std::uint64_t begin_of(int rank) const {
    const std::uint64_t begin =
        ((static_cast<std::uint64_t>(rank) << kShift) + factor_ - 1) / factor_;
    return begin < vertices_ ? begin : vertices_;
  }

 private:
  static constexpr unsigned kShift = 40;  // ranks < 2^(64 - kShift)

  std::uint64_t vertices_;
  std::uint64_t factor_;  // ranks / vertices, times 2^kShift
};

// The neighbours of row k are targets[begins[k]] to targets[begins[k + 1] - 1], in ascending order.
struct rows {
  std::vector<std::uint64_t> begins{0};
  std::vector<vertex> targets;

  std::size_t count() const { return begins.size() - 1; }
  std::span<const vertex> operator[](std::size_t k) const {
    return {targets.data() + begins[k], targets.data() + begins[k + 1]};
  }
};

struct spread_graph {
  std::uint64_t vertices, edges;
  ownership owners;
  vertex first;  // of this rank's; row k is vertex first + k
  rows mine;
};

// Collective.
spread_graph distribute(const edge_share& share);

// The rows of all vertices at the root, nothing elsewhere. Collective.
rows whole_at_root(const spread_graph& g);

// The lengths of all ranks' arrays, in their order. Collective.
std::vector<std::size_t> counts_of_all(std::size_t mine);

}  // namespace graph
