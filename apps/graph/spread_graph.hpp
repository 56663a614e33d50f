// SPDX-License-Identifier: Apache-2.0
// An undirected graph over all ranks, as compressed sparse rows: a rank has a block of vertices,
// and of each of them all neighbours. An edge is stored at both of its ends, a loop twice at its
// one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../measured/ownership.hpp"
#include "edge_share.hpp"
#include "spread_lengths.hpp"

namespace graph {

using measured::ownership;  // a block of vertices to a rank

// The neighbours of row k are targets[begins[k]] to targets[begins[k + 1] - 1].
struct rows {
  std::vector<std::uint64_t> begins{0};
  std::vector<vertex> targets;

  std::size_t count() const { return begins.size() - 1; }
  // The first neighbours of a row that is soon read; of none if there is no such row.
  void prefetch(std::size_t k) const {
    if (k < count()) __builtin_prefetch(targets.data() + begins[k]);
  }
  std::span<const vertex> operator[](std::size_t k) const {
    return {targets.data() + begins[k], targets.data() + begins[k + 1]};
  }
};

// Calls visit(row) for each of these, whose neighbours are fetched from memory ahead of it.
template <class Visit>
void for_rows(const rows& all, std::span<const vertex> which, Visit&& visit) {
  constexpr std::size_t kAhead = 16;
  for (std::size_t k = 0; k < which.size(); ++k) {
    if (k + kAhead < which.size()) all.prefetch(which[k + kAhead]);
    visit(which[k]);
  }
}

struct spread_graph {
  std::uint64_t vertices, edges;
  ownership owners;
  vertex first;  // of this rank's; row k is vertex first + k
  rows
      mine;  // each row in ascending order from `first` on, so that this rank's vertices come first
  vertex_names names = {};
  std::optional<spread_lengths> lengths = {};  // if the share has them
};

// How many edges each vertex of the graph has; a loop counts twice. Collective.
std::vector<vertex> degrees_of_all(const edge_share& share);

// Collective.
spread_graph distribute(const edge_share& share);

// The rows of all vertices at the root, each in ascending order; nothing elsewhere. Collective.
rows whole_at_root(const spread_graph& g);

// The lengths of all ranks' arrays, in their order. Collective.
std::vector<std::size_t> counts_of_all(std::size_t mine);

}  // namespace graph
