// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel.hpp"

namespace agenda_matmul {

struct options {
  std::vector<std::uint64_t> sizes = {512};        // rows and columns of the matrices
  std::vector<std::uint64_t> granularities = {8};  // rows that a request brings
  std::vector<std::uint64_t> concurrencies = {2};  // requests of a rank outstanding
  std::vector<std::uint64_t> ranks;                // how many of them work; empty: all
  kernel by = default_kernel();
  std::uint64_t seed = 1;
  std::uint64_t repeats = 5;
  bool json = false;
};

// Throws measured::usage_error or measured::help_wanted.
options read_options(int argc, char** argv);

}  // namespace agenda_matmul
