// SPDX-License-Identifier: Apache-2.0
// The searches from every root, in turn, each checked.
#pragma once

#include <cstdint>
#include <vector>

#include "checking.hpp"
#include "options.hpp"

namespace bfs {

struct searched {
  vertex root = 0;
  tree found;
  std::vector<double> seconds;  // by way
  double serial_seconds = 0;  // 0: not measured
};

struct result {
  std::uint64_t vertices = 0, edges = 0;  // of the graph
  double build_seconds = 0;
  std::vector<searched> roots;
};

// Collective; the same result in all ranks.
result measure(const options& o);

}  // namespace bfs
