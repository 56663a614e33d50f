// SPDX-License-Identifier: Apache-2.0
// Disjoint sets of numbered things by Rem's algorithm (Dijkstra 1976; Patwary, Blair and Manne
// 2010), and how the edges among the vertices of one block join them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "../graph/spread_graph.hpp"

namespace components {

using graph::vertex;

class forest {
 public:
  explicit forest(std::size_t count) : parents_(count) { reset(); }

  std::size_t count() const { return parents_.size(); }
  // All alone.
  void reset();
  void join(vertex a, vertex b) {
    while (parents_[a] != parents_[b]) {
      if (parents_[a] < parents_[b]) std::swap(a, b);
      const vertex above = std::exchange(parents_[a], parents_[b]);
      if (above == a) return;
      a = above;
    }
  }
  // From here to the next join, root_of() is right: the least of the set.
  void flatten();
  vertex root_of(vertex a) const { return parents_[a]; }
  std::size_t size_of(vertex root) const {
    return static_cast<std::size_t>(std::count(parents_.begin(), parents_.end(), root));
  }
  // Rows that have edges and are not in the set with this root. They stand until the next call.
  std::span<const vertex> find_outside(const graph::rows& rows, vertex set);
  // The rows found, without those that have come into that set, whose root may be another one now.
  std::span<const vertex> still_outside(vertex set) {
    std::erase_if(outside_, [this, set](vertex row) { return root_of(row) == set; });
    return outside_;
  }

 private:
  std::vector<vertex> parents_;  // parents_[a] <= a; a root is its own
  std::vector<vertex> outside_;
};

// Joins those of the block's vertices that edges within it connect, and flattens. Row k is that of
// vertex first + k, and number k in the forest; neighbours within the block come first in a row.
// First a few neighbours of each, then all of those that are not in the set that most seem to be
// in. (Sutton, Ben-Nun and Barak 2018, Afforest.) Returns the root of that set, which is the one
// that still_outside() can be asked for.
vertex join_block(const graph::rows& rows, vertex first, forest& sets);

}  // namespace components
