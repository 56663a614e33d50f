// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>

namespace histogram {

struct options {
  std::uint64_t table = 1'000'000;    // counters, over all ranks
  std::uint64_t updates = 1'000'000;  // of each rank
  std::uint64_t seed = 1;
  std::uint64_t repeats = 11;
  bool fetch = false;     // by fetch_add instead of add
  bool messages = false;  // by aggregated messages instead of add
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace histogram
