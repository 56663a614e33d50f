// SPDX-License-Identifier: Apache-2.0
// The same search by one rank over the whole graph, without a message: the limit.
#pragma once

#include <vector>

#include "../graph/spread_graph.hpp"
#include "../graph/vertex_set.hpp"

namespace bfs {

class serial_searcher {
 public:
  explicit serial_searcher(const graph::rows& whole)
      : whole_(whole), known_(whole.count()), parents_(whole.count()), reached_(whole.count()) {}

  // Returns the number of vertices that it reached.
  std::size_t search(graph::vertex root);
  const std::vector<graph::vertex>& parents() const { return parents_; }

 private:
  const graph::rows& whole_;
  graph::vertex_set known_;  // those that were reached
  std::vector<graph::vertex> parents_, reached_;
};

}  // namespace bfs
