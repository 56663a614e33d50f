// SPDX-License-Identifier: Apache-2.0
// Vertices by the distance that they had when they were added: bucket b holds distances from
// b * width on. A vertex may stand in several; its entry with its distance now is the one that
// counts.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "../graph/edges.hpp"

namespace sssp {

// Distances are whole numbers or real ones.
template <class Distance>
inline constexpr bool kIsWhole = std::is_integral_v<Distance>;

template <class Distance>
struct pending {
  graph::vertex at;
  Distance distance;
};

// The index of no bucket.
inline constexpr std::size_t kNoBucket = SIZE_MAX;

template <class Distance = std::uint32_t>
class buckets {
 public:
  using bound = std::conditional_t<kIsWhole<Distance>, std::uint64_t, double>;

  // No edge is longer than longest_edge: what is added while a bucket is emptied is at most that
  // far behind it.
  buckets(Distance width, Distance longest_edge)
      : width_(width), ring_(static_cast<std::size_t>(longest_edge / width) + kMore) {}

  std::size_t bucket_of(Distance distance) const {
    return static_cast<std::size_t>(distance / width_);
  }
  // The least distance of later buckets.
  bound end_of(std::size_t bucket) const {
    if constexpr (kIsWhole<Distance>) {
      return (bucket + 1) * bound{width_};
    } else {
      // The product is rounded: its neighbours may be the first of a later bucket.
      double end = static_cast<double>(bucket + 1) * width_;
      while (bucket_of(end) <= bucket) end = std::nextafter(end, kInfinity);
      while (bucket_of(std::nextafter(end, 0)) > bucket) end = std::nextafter(end, 0);
      return end;
    }
  }
  void add(pending<Distance> p) { at(bucket_of(p.distance)).push_back(p); }

  std::vector<pending<Distance>>& at(std::size_t bucket) { return ring_[bucket % ring_.size()]; }
  // The first bucket from this one on that holds anything; kNoBucket if none does.
  std::size_t first_from(std::size_t bucket) {
    for (std::size_t b = bucket; b < bucket + ring_.size(); ++b)
      if (!at(b).empty()) return b;
    return kNoBucket;
  }

 private:
  // Buckets in the ring beyond the whole ones that the longest edge spans: those of its two ends,
  // and two more where sums and quotients are rounded.
  static constexpr std::size_t kMore = kIsWhole<Distance> ? 2 : 4;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Distance width_;
  std::vector<std::vector<pending<Distance>>> ring_;
};

}  // namespace sssp
