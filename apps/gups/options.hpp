// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <vector>

#include "updating.hpp"

namespace gups {

struct options {
  std::uint64_t scale = 22;  // 2^scale words in the table
  std::vector<way> ways{kWays.begin(), kWays.end()};
  std::uint64_t repeats = 5;
  bool serial = true;
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace gups
