// SPDX-License-Identifier: Apache-2.0
// The same search by one rank over the whole graph, without a message: the limit.
#pragma once

#include <vector>

#include "../graph/spread_graph.hpp"

namespace bfs {

class serial_searcher {
 public:
  explicit serial_searcher(const graph::rows& whole)
      : whole_(whole), parents_(whole.count()), reached_(whole.count()) {}

  // Returns the number of vertices that it reached.
  std::size_t search(graph::vertex root);
  const std::vector<graph::vertex>& parents() const { return parents_; }

 private:
  const graph::rows& whole_;
  std::vector<graph::vertex> parents_, reached_;
};

}  // namespace bfs
