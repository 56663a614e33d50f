// SPDX-License-Identifier: Apache-2.0
// The compute phase: the values of one rank's nodes of one kind are brought up to date from values
// that are all in this rank's memory, its own or ghosts.
//
//   value -= weight * from      for every edge of the node, in the order in which it was drawn
//
// All ways through it keep that order for each node, so their results are the same to the last bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace em3d {

// What an edge does to the node that it leads to.
inline double after_edge(double value, double weight, double from) { return value - weight * from; }

struct near_edge {
  const double* from;
  double weight;
};

// One edge of each of four neighbouring nodes, side by side.
inline constexpr std::size_t kLanes = 4;
struct edge_row {
  std::array<std::uint32_t, kLanes> from;  // indices into near_nodes::from
  std::array<double, kLanes> weight;
};

// Values are kept in whole rows: room for `count` of them, rounded up to kLanes.
struct near_nodes {
  std::size_t count = 0;
  std::size_t degree = 0;
  double* values = nullptr;
  const double* from = nullptr;  // the nodes of the other kind, and behind them their ghosts
  std::vector<near_edge> edges;  // degree of each node, node by node
  std::vector<edge_row> rows;  // the same edges: degree of each four nodes
};

// Makes the rows from the edges.
void lay_rows(near_nodes& nodes);

// A node after the other, an edge after the other.
void update_plain(near_nodes& nodes);

// Four nodes at a time: four sums under way, four values on their way while four are used.
void update_unrolled(near_nodes& nodes);

}  // namespace em3d
