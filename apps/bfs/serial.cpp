// SPDX-License-Identifier: Apache-2.0
#include "serial.hpp"

#include <algorithm>

namespace bfs {

using graph::vertex;

std::size_t serial_searcher::search(vertex root) {
  constexpr std::size_t kAhead = 16;
  std::fill(parents_.begin(), parents_.end(), graph::kNoVertex);
  parents_[root] = root;
  reached_[0] = root;
  known_.clear();
  known_.add(root);
  std::size_t count = 1;
  for (std::size_t k = 0; k < count; ++k) {
    if (k + kAhead < count) whole_.prefetch(reached_[k + kAhead]);
    const vertex parent = reached_[k];
    for (const vertex at : whole_[parent]) {
      if (known_.has(at)) continue;
      known_.add(at);
      parents_[at] = parent;
      reached_[count++] = at;
    }
  }
  return count;
}

}  // namespace bfs
