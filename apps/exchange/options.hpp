// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <vector>

#include "exchanging.hpp"

namespace exchange {

struct options {
  std::uint64_t keys = 2'000'000;  // of each rank
  std::uint64_t seed = 1;
  std::uint64_t repeats = 11;
  std::vector<way> ways{kWays.begin(), kWays.end()};
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace exchange
