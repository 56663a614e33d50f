// SPDX-License-Identifier: Apache-2.0
// What one rank has of the edges of a graph.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "edges.hpp"
#include "vertex_names.hpp"

namespace graph {

// The lengths that a file gives its edges: finite numbers from 0 on.
struct edge_lengths {
  std::vector<double> mine;  // one for each edge of the share, in the same order
  double longest = 0, sum = 0;  // of all edges of the graph; a sum may be infinite
  bool are_whole = true;  // all lengths of the graph are whole numbers
};

// The shares of all ranks together hold each edge once.
struct edge_share {
  std::uint64_t vertices = 0;  // of the graph
  std::uint64_t edges = 0;     // of the graph: loops and parallel ones count
  std::vector<edge> mine;
  std::optional<edge_lengths> lengths = {};  // if the reader keeps them and the file has any
  vertex_names names = {};
};

}  // namespace graph
