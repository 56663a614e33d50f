// SPDX-License-Identifier: Apache-2.0
// EM3D without Ramjet: what the versions are checked against, and the limit of their speed.
#pragma once

#include <array>
#include <vector>

#include "compute.hpp"
#include "fields.hpp"
#include "graph.hpp"

namespace em3d {

// The whole graph by one thread, in the plainest way.
fields solve(const graph& g);

// One rank's part of the graph without remote edges, in plain memory with plain pointers. The time
// of run() is the limit: there is nothing to wait for and nobody to agree with.
class local_graph {
 public:
  local_graph(const graph& g, int rank);  // g.remote_percent is 0
  local_graph(const local_graph&) = delete;
  local_graph& operator=(const local_graph&) = delete;

  void reset();
  void run(unsigned iterations);
  const std::vector<double>& values(kind k) const { return values_[std::size_t(k)]; }

 private:
  graph graph_;
  int rank_;
  std::array<std::vector<double>, 2> values_;
  std::array<near_nodes, 2> nodes_;
};

}  // namespace em3d
