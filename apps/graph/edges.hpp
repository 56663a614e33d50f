// SPDX-License-Identifier: Apache-2.0
// Undirected edges, of which each rank holds some.
#pragma once

#include <cstdint>
#include <vector>

namespace graph {

using vertex = std::uint32_t;

inline constexpr vertex kNoVertex = UINT32_MAX;
inline constexpr std::uint64_t kVerticesMax = kNoVertex;

struct edge {
  vertex a, b;
};

// What one rank has of the edges of a graph. The shares of all ranks together hold each edge once.
struct edge_share {
  std::uint64_t vertices = 0;  // of the graph
  std::uint64_t edges = 0;     // of the graph: loops and parallel ones count
  std::vector<edge> mine;
};

}  // namespace graph
