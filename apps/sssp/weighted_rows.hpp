// SPDX-License-Identifier: Apache-2.0
// The rows of a graph with the lengths of their edges beside the neighbours, the shortest edges
// first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "../graph/spread_graph.hpp"
#include "../graph/weights.hpp"

namespace sssp {

using distance = std::uint32_t;
inline constexpr distance kFar = UINT32_MAX;

struct weighted_edge {
  graph::vertex to;
  distance length;
};

class weighted_rows {
 public:
  // Row k is that of vertex first + k.
  weighted_rows(const graph::rows& plain, graph::vertex first, const graph::edge_weights& weight)
      : begins_(plain.begins) {
    edges_.reserve(plain.targets.size());
    for (std::size_t k = 0; k < plain.count(); ++k) {
      for (const graph::vertex to : plain[k])
        edges_.push_back({to, weight(first + static_cast<graph::vertex>(k), to)});
      std::sort(edges_.begin() + static_cast<std::ptrdiff_t>(begins_[k]), edges_.end(),
                [](weighted_edge a, weighted_edge b) {
                  return std::tie(a.length, a.to) < std::tie(b.length, b.to);
                });
    }
  }

  // The first edge of row k; that of the row after the last is where all edges end.
  const weighted_edge* begin_of(std::size_t k) const { return edges_.data() + begins_[k]; }
  void prefetch_index(std::size_t k) const { __builtin_prefetch(&begins_[k]); }

 private:
  std::vector<std::uint64_t> begins_;
  std::vector<weighted_edge> edges_;
};

}  // namespace sssp
