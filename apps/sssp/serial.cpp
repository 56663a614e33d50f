// SPDX-License-Identifier: Apache-2.0
#include "serial.hpp"

#include <algorithm>

namespace sssp {

using graph::vertex;

template <class Distance>
void serial_searcher<Distance>::search(vertex root) {
  std::fill(parents_.begin(), parents_.end(), graph::kNoVertex);
  std::fill(distances_.begin(), distances_.end(), kFarthest<Distance>);
  parents_[root] = root;
  distances_[root] = 0;
  buckets_.add({root, 0});
  const auto relax = [this](vertex to, vertex from, Distance length) {
    if (length >= distances_[to]) return;
    distances_[to] = length;
    parents_[to] = from;
    buckets_.add({to, length});
  };
  for (std::size_t b = 0; b != kNoBucket; b = buckets_.first_from(b)) {
    walk_.inner(buckets_.at(b), buckets_.end_of(b), relax);
    walk_.outer(buckets_.at(b), relax);
  }
}

template class serial_searcher<distance>;
template class serial_searcher<double>;

}  // namespace sssp
