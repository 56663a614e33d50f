// SPDX-License-Identifier: Apache-2.0
// Vertices by the distance that they had when they were added: bucket b holds distances from
// b * width on. A vertex may stand in several; its entry with its distance now is the one that
// counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../graph/edges.hpp"

namespace sssp {

struct pending {
  graph::vertex at;
  std::uint32_t distance;
};

class buckets {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;

  // No edge is longer than longest_edge: what is added while a bucket is emptied is at most that
  // far behind it.
  buckets(std::uint32_t width, std::uint32_t longest_edge)
      : width_(width), ring_(longest_edge / width + 2) {}

  std::size_t bucket_of(std::uint32_t distance) const { return distance / width_; }
  // All distances of the bucket are less.
  std::uint64_t end_of(std::size_t bucket) const { return (bucket + 1) * std::uint64_t{width_}; }
  void add(pending p) { at(bucket_of(p.distance)).push_back(p); }

  std::vector<pending>& at(std::size_t bucket) { return ring_[bucket % ring_.size()]; }
  // The first bucket from this one on that holds anything; kNone if none does.
  std::size_t first_from(std::size_t bucket) {
    for (std::size_t b = bucket; b < bucket + ring_.size(); ++b)
      if (!at(b).empty()) return b;
    return kNone;
  }

 private:
  std::uint32_t width_;
  std::vector<std::vector<pending>> ring_;
};

}  // namespace sssp
