// SPDX-License-Identifier: Apache-2.0
// The same search by one rank over the whole graph, without a message: the limit.
#pragma once

#include <utility>
#include <vector>

#include "bucket_walk.hpp"
#include "buckets.hpp"
#include "weighted_rows.hpp"

namespace sssp {

template <class Distance = distance>
class serial_searcher {
 public:
  serial_searcher(weighted_rows<Distance> whole, Distance longest_edge, Distance delta)
      : rows_(std::move(whole)),
        parents_(rows_.count()),
        distances_(rows_.count()),
        buckets_(delta, longest_edge),
        walk_(rows_, 0, distances_) {}
  serial_searcher(const serial_searcher&) = delete;
  serial_searcher& operator=(const serial_searcher&) = delete;

  void search(graph::vertex root);
  const std::vector<Distance>& distances() const { return distances_; }
  const std::vector<graph::vertex>& parents() const { return parents_; }

 private:
  weighted_rows<Distance> rows_;
  std::vector<graph::vertex> parents_;
  std::vector<Distance> distances_;
  buckets<Distance> buckets_;
  bucket_walk<Distance> walk_;
};

}  // namespace sssp
