// SPDX-License-Identifier: Apache-2.0
// The rows of a graph with the lengths of their edges beside the neighbours, the shortest edges
// first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "../graph/spread_graph.hpp"
#include "../graph/weights.hpp"

namespace sssp {

// Of edges whose lengths are drawn; the distances are double where a file gives the lengths.
using distance = std::uint32_t;

// The distance of a vertex that is not reached.
template <class Distance>
inline constexpr Distance kFarthest = std::numeric_limits<Distance>::has_infinity
                                          ? std::numeric_limits<Distance>::infinity()
                                          : std::numeric_limits<Distance>::max();
inline constexpr distance kFar = kFarthest<distance>;

template <class Distance>
struct weighted_edge {
  graph::vertex to;
  Distance length;
};

template <class Distance = distance>
class weighted_rows {
 public:
  using edge = weighted_edge<Distance>;

  weighted_rows(std::vector<std::uint64_t> begins, std::vector<edge> edges)
      : begins_(std::move(begins)), edges_(std::move(edges)) {}

  // Row k is that of vertex first + k.
  weighted_rows(const graph::rows& plain, graph::vertex first, const graph::edge_weights& weight)
      : begins_(plain.begins) {
    edges_.reserve(plain.targets.size());
    for (std::size_t k = 0; k < plain.count(); ++k) {
      for (const graph::vertex to : plain[k])
        edges_.push_back({to, weight(first + static_cast<graph::vertex>(k), to)});
      std::sort(edges_.begin() + static_cast<std::ptrdiff_t>(begins_[k]), edges_.end(),
                [](edge a, edge b) {
                  return std::tie(a.length, a.to) < std::tie(b.length, b.to);
                });
    }
  }

  // The first edge of row k; that of the row after the last is where all edges end.
  const edge* begin_of(std::size_t k) const { return edges_.data() + begins_[k]; }
  std::span<const edge> operator[](std::size_t k) const { return {begin_of(k), begin_of(k + 1)}; }
  std::size_t count() const { return begins_.size() - 1; }
  std::span<const edge> edges() const { return edges_; }
  void prefetch_index(std::size_t k) const { __builtin_prefetch(&begins_[k]); }

 private:
  std::vector<std::uint64_t> begins_;
  std::vector<edge> edges_;
};

}  // namespace sssp
