// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <vector>

#include "../graph/input.hpp"
#include "../graph/roots.hpp"
#include "searching.hpp"

namespace sssp {

struct options {
  graph::input graph;
  std::uint64_t weights = 255;  // the longest edge whose length is drawn
  bool draws = false;  // lengths are drawn even if the file gives some: --weights is given
  std::uint64_t delta = 8;
  bool names_delta = false;  // --delta is given
  std::vector<way> ways{kWays.begin(), kWays.end()};
  graph::wanted_roots roots;
  bool serial = true;
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace sssp
