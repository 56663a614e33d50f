// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../graph/kronecker.hpp"
#include "searching.hpp"

namespace bfs {

struct options {
  graph::kronecker made;  // the graph, if no file is named
  std::string file;
  std::vector<way> ways{kWays.begin(), kWays.end()};
  std::uint64_t roots = 8;  // at random
  std::vector<std::uint64_t> named_roots;  // instead
  bool serial = true;
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace bfs
