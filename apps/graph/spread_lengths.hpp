// SPDX-License-Identifier: Apache-2.0
// The edges of a graph with the lengths that its file gives them, at the owners of their ends.
#pragma once

#include <vector>

#include "../measured/ownership.hpp"
#include "edge_share.hpp"

namespace graph {

// An edge at one of its ends.
struct edge_end {
  vertex at, to;
  double length;
};

struct spread_lengths {
  // The ends at this rank's vertices by ascending `at`, then length, then `to`. A loop has two.
  std::vector<edge_end> ends;
  double longest = 0, mean = 0;  // of all edges of the graph
  bool are_whole = true;
};

// Sends each edge of the share to the owners of both ends. The share has lengths. Collective.
spread_lengths distribute_lengths(const edge_share& share, const measured::ownership& owners);

}  // namespace graph
