// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <vector>

#include "../graph/input.hpp"
#include "../graph/roots.hpp"
#include "searching.hpp"

namespace bfs {

struct options {
  graph::input graph;
  std::vector<way> ways{kWays.begin(), kWays.end()};
  graph::wanted_roots roots;
  bool serial = true;
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace bfs
