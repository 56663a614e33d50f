// SPDX-License-Identifier: Apache-2.0
// The same search by one rank over the whole graph, without a message: the limit.
#pragma once

#include <vector>

#include "buckets.hpp"
#include "weighted_rows.hpp"

namespace sssp {

class serial_searcher {
 public:
  serial_searcher(const graph::rows& whole, const graph::edge_weights& weight, distance delta)
      : rows_(whole, 0, weight),
        parents_(whole.count()),
        distances_(whole.count()),
        buckets_(delta, weight.most()) {}

  void search(graph::vertex root);
  const std::vector<distance>& distances() const { return distances_; }
  const std::vector<graph::vertex>& parents() const { return parents_; }

 private:
  void settle(pending from);

  weighted_rows rows_;
  std::vector<graph::vertex> parents_;
  std::vector<distance> distances_;
  buckets buckets_;
};

}  // namespace sssp
