// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>

namespace indexgather {

struct options {
  std::uint64_t table = 1'000'000;  // words, over all ranks
  std::uint64_t reads = 1'000'000;  // of each rank
  std::uint64_t group = 0;          // gets before each sync; 0: blocking reads
  bool messages = false;            // by aggregated messages instead of reads
  std::uint64_t seed = 1;
  std::uint64_t repeats = 11;
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace indexgather
