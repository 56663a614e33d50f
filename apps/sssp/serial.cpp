// SPDX-License-Identifier: Apache-2.0
#include "serial.hpp"

#include <algorithm>

namespace sssp {

using graph::vertex;

void serial_searcher::search(vertex root) {
  std::fill(parents_.begin(), parents_.end(), graph::kNoVertex);
  std::fill(distances_.begin(), distances_.end(), kFar);
  parents_[root] = root;
  distances_[root] = 0;
  buckets_.add({root, 0});
  for (std::size_t b = 0; b != buckets::kNone; b = buckets_.first_from(b)) {
    std::vector<pending>& bucket = buckets_.at(b);
    for (std::size_t k = 0; k < bucket.size(); ++k) {  // it grows meanwhile
      const pending p = bucket[k];
      if (distances_[p.at] == p.distance) settle(p);
    }
    bucket.clear();
  }
}

void serial_searcher::settle(pending from) {
  for (const weighted_edge e : rows_[from.at]) {
    const distance length = from.distance + e.length;
    if (length >= distances_[e.to]) continue;
    distances_[e.to] = length;
    parents_[e.to] = from.at;
    buckets_.add({e.to, length});
  }
}

}  // namespace sssp
