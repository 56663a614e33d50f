// SPDX-License-Identifier: Apache-2.0
// What one rank has of the edges of a graph.
#pragma once

#include <cstdint>
#include <vector>

#include "edges.hpp"
#include "vertex_names.hpp"

namespace graph {

// The shares of all ranks together hold each edge once.
struct edge_share {
  std::uint64_t vertices = 0;  // of the graph
  std::uint64_t edges = 0;     // of the graph: loops and parallel ones count
  std::vector<edge> mine;
  bool has_lengths = false;  // the file gives edges lengths, which are not kept
  vertex_names names = {};
};

}  // namespace graph
