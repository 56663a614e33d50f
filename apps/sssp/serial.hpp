// SPDX-License-Identifier: Apache-2.0
// The same search by one rank over the whole graph, without a message: the limit.
#pragma once

#include <vector>

#include "bucket_walk.hpp"
#include "buckets.hpp"
#include "weighted_rows.hpp"

namespace sssp {

class serial_searcher {
 public:
  serial_searcher(const graph::rows& whole, const graph::edge_weights& weight, distance delta)
      : rows_(whole, 0, weight),
        parents_(whole.count()),
        distances_(whole.count()),
        buckets_(delta, weight.most()),
        walk_(rows_, 0, distances_) {}
  serial_searcher(const serial_searcher&) = delete;
  serial_searcher& operator=(const serial_searcher&) = delete;

  void search(graph::vertex root);
  const std::vector<distance>& distances() const { return distances_; }
  const std::vector<graph::vertex>& parents() const { return parents_; }

 private:
  weighted_rows rows_;
  std::vector<graph::vertex> parents_;
  std::vector<distance> distances_;
  buckets buckets_;
  bucket_walk walk_;
};

}  // namespace sssp
