// SPDX-License-Identifier: Apache-2.0
// The searches from every root, in turn, each checked.
#pragma once

#include <cstdint>
#include <vector>

#include "options.hpp"
#include "tools/cli/json.hpp"

namespace sssp {

// What the tree of a search is.
struct tree {
  std::uint64_t edges = 0;  // of the graph, between vertices that were reached
  std::uint64_t reached = 0;
  console::json farthest = 0, sum = 0;  // of all distances; real where an edge's length is

  friend bool operator==(const tree&, const tree&) = default;
};

struct searched {
  std::uint64_t root = 0;  // its name
  tree found;
  std::vector<double> seconds;  // by way
  double serial_seconds = 0;  // 0: not measured
};

struct result {
  graph::size graph;
  bool draws = true;  // the lengths are random, not those of the file
  console::json delta, longest;  // the width of a bucket; no edge is longer
  std::vector<searched> roots;
};

// Collective; the same result in all ranks.
result measure(const options& o);

}  // namespace sssp
