// SPDX-License-Identifier: Apache-2.0
// The graphs that programs of one process pass over: the inputs of Ramjet's applications, whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "graph/kronecker.hpp"
#include "graph/numbering.hpp"
#include "graph/spread_graph.hpp"

namespace peers {

using graph::vertex;

inline graph::edge_share kronecker_edges(std::uint64_t scale) {
  return share_of(graph::kronecker{.scale = scale}, 0, 1);
}

// As apps/pagerank numbers them.
inline graph::edge_share numbered_by_degree(graph::edge_share all) {
  graph::renumber(all.mine, graph::numbers_by_degree(graph::degrees_of(all), 1));
  return all;
}

// The rows of a whole graph, in ascending order.
inline graph::rows rows_of(const graph::edge_share& all) {
  graph::rows r;
  r.begins.assign(all.vertices + 2, 0);
  for (const graph::edge e : all.mine) {
    ++r.begins[e.a + 2];
    ++r.begins[e.b + 2];
  }
  std::partial_sum(r.begins.begin(), r.begins.end(), r.begins.begin());
  r.targets.resize(r.begins.back());
  for (const graph::edge e : all.mine) {
    r.targets[r.begins[e.a + 1]++] = e.b;
    r.targets[r.begins[e.b + 1]++] = e.a;
  }
  r.begins.pop_back();
  for (std::size_t k = 0; k < r.count(); ++k)
    std::sort(r.targets.data() + r.begins[k], r.targets.data() + r.begins[k + 1]);
  return r;
}

// With an edge to another vertex.
inline vertex some_root(const graph::rows& whole) {
  vertex root = 0;
  while (whole[root].empty() || whole[root].back() == root) ++root;
  return root;
}

}  // namespace peers
