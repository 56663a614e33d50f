// SPDX-License-Identifier: Apache-2.0
#include "serial.hpp"

#include <algorithm>

namespace bfs {

using graph::vertex;

std::size_t serial_searcher::search(vertex root) {
  std::fill(parents_.begin(), parents_.end(), graph::kNoVertex);
  parents_[root] = root;
  reached_[0] = root;
  std::size_t count = 1;
  for (std::size_t k = 0; k < count; ++k) {
    const vertex parent = reached_[k];
    for (const vertex at : whole_[parent]) {
      if (parents_[at] != graph::kNoVertex) continue;
      parents_[at] = parent;
      reached_[count++] = at;
    }
  }
  return count;
}

}  // namespace bfs
