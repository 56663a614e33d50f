// SPDX-License-Identifier: Apache-2.0
#include "compute.hpp"

namespace em3d {

// The last row of nodes may have lanes without a node: their edges have no weight.
void lay_rows(near_nodes& nodes) {
  const std::size_t rows = (nodes.count + kLanes - 1) / kLanes;
  nodes.rows.assign(rows * nodes.degree, edge_row{});
  for (std::size_t i = 0; i < nodes.edges.size(); ++i) {
    const std::size_t node = i / nodes.degree, number = i % nodes.degree;
    edge_row& row = nodes.rows[node / kLanes * nodes.degree + number];
    row.from[node % kLanes] = std::uint32_t(nodes.edges[i].from - nodes.from);
    row.weight[node % kLanes] = nodes.edges[i].weight;
  }
}

void update_plain(near_nodes& nodes) {
  const near_edge* edge = nodes.edges.data();
  for (std::size_t i = 0; i < nodes.count; ++i) {
    double value = nodes.values[i];
    for (std::size_t k = 0; k < nodes.degree; ++k, ++edge)
      value = after_edge(value, edge->weight, *edge->from);
    nodes.values[i] = value;
  }
}

// The four values are loaded together, before any is used. To load those of the next row before
// this one's are used makes it slower: the processor does so by itself, without the registers.
void update_unrolled(near_nodes& nodes) {
  const double* const from = nodes.from;
  const edge_row* row = nodes.rows.data();
  for (std::size_t i = 0; i < nodes.count; i += kLanes) {
    double value[kLanes], loaded[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) value[lane] = nodes.values[i + lane];
    for (std::size_t k = 0; k < nodes.degree; ++k, ++row) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) loaded[lane] = from[row->from[lane]];
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        value[lane] = after_edge(value[lane], row->weight[lane], loaded[lane]);
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) nodes.values[i + lane] = value[lane];
  }
}

}  // namespace em3d
