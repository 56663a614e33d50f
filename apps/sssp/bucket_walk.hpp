// SPDX-License-Identifier: Apache-2.0
// The edges of one bucket's vertices, each followed when it can be of use: those whose ends both
// are in the bucket while it is emptied, perhaps again for a vertex that comes nearer; the others,
// which are nearly all, once, when its distances are final. (Chakaravarthy et al. 2014: inner and
// outer edges.) Rows are in the order of lengths, so that a vertex's inner edges come first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "buckets.hpp"
#include "weighted_rows.hpp"

namespace sssp {

template <class Distance = distance>
class bucket_walk {
 public:
  using edge = weighted_edge<Distance>;
  using entry = pending<Distance>;
  using bound = typename buckets<Distance>::bound;

  // Row k is that of vertex first + k; shortest[v] is the distance of vertex v so far.
  bucket_walk(const weighted_rows<Distance>& rows, graph::vertex first,
              const std::vector<Distance>& shortest)
      : rows_(rows), first_(first), shortest_(shortest) {}

  // Calls relax(edge, from, length) for the inner edges of those in the bucket that were not there
  // at the last call; it may add to the bucket. Its distances are less than `end`.
  template <class Relax>
  [[gnu::always_inline]] void inner(const std::vector<entry>& bucket, bound end, Relax&& relax) {
    for (; next_ < bucket.size(); ++next_) {
      prefetch_row(bucket);
      const entry p = bucket[next_];
      if (shortest_[p.at] != p.distance) continue;
      const edge* e = rows_.begin_of(p.at - first_);
      const edge* const row_end = rows_.begin_of(p.at - first_ + 1);
      for (; e < row_end && is_inner(p.distance, e->length, end); ++e)
        relax(e->to, p.at, p.distance + e->length);
      walked_.push_back({p, e});
    }
  }

  bool is_behind(const std::vector<entry>& bucket) const { return next_ < bucket.size(); }

  // The same for their outer edges, which lead to later buckets. The bucket is empty then.
  template <class Relax>
  void outer(std::vector<entry>& bucket, Relax&& relax) {
    for (std::size_t k = 0; k < walked_.size(); ++k) {
      prefetch_rest(walked_[std::min(k + kAhead, walked_.size() - 1)].rest);
      const walked w = walked_[k];
      if (shortest_[w.from.at] != w.from.distance) continue;
      const edge* const row_end = rows_.begin_of(w.from.at - first_ + 1);
      for (const edge* e = w.rest; e < row_end; ++e)
        relax(e->to, w.from.at, w.from.distance + e->length);
    }
    walked_.clear();
    bucket.clear();
    next_ = 0;
  }

 private:
  // A sum of whole numbers is exact. A real one is the rounded sum that is added to a bucket.
  static bool is_inner(Distance from, Distance length, bound end) {
    if constexpr (kIsWhole<Distance>)
      return length < end - from;
    else
      return from + length < end;
  }

  // A row begins anywhere in memory, and is then in a row there.
  static constexpr std::size_t kAhead = 8;
  void prefetch_row(const std::vector<entry>& bucket) const {
    const std::size_t last = bucket.size() - 1;
    rows_.prefetch_index(bucket[std::min(next_ + 2 * kAhead, last)].at - first_);
    __builtin_prefetch(rows_.begin_of(bucket[std::min(next_ + kAhead, last)].at - first_));
  }
  static void prefetch_rest(const edge* rest) {
    constexpr std::size_t kLines = 3, kEdgesOfLine = 64 / sizeof(edge);
    for (std::size_t line = 0; line < kLines; ++line)
      __builtin_prefetch(rest + line * kEdgesOfLine);
  }

  struct walked {
    entry from;
    const edge* rest;  // its outer edges, if the distance is still its own
  };

  const weighted_rows<Distance>& rows_;
  graph::vertex first_;
  const std::vector<Distance>& shortest_;
  std::vector<walked> walked_;  // of the bucket, in its order
  std::size_t next_ = 0;  // of the bucket: those before it have been walked
};

}  // namespace sssp
