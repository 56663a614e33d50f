// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <vector>

namespace matmul {

struct options {
  std::uint64_t n = 128;                                    // rows of A and of C
  std::vector<std::uint64_t> columns = {1, 2, 4, 8, 16, 32};  // of B and of C at each rank
  std::uint64_t terms = 2048;  // rank-1 updates with one column at each rank
  std::uint64_t seed = 1;
  std::uint64_t repeats = 501;
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace matmul
