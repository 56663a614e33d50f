// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <vector>

#include "versions.hpp"

namespace em3d {

struct options {
  std::vector<version> versions;
  std::uint64_t nodes = 500;  // E and H together, on each rank; even
  std::uint64_t degree = 20;
  std::vector<unsigned> remote_percents;  // ascending, none twice
  std::uint64_t iterations = 100;
  std::uint64_t repeats = 5;
  std::uint64_t seed = 1;
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace em3d
