// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "versions.hpp"

namespace em3d {

struct options {
  std::vector<version> versions;
  std::size_t nodes = 500;  // E and H together, on each rank; even
  std::size_t degree = 20;
  std::vector<unsigned> remote_percents;  // ascending, none twice
  unsigned iterations = 100;
  unsigned repeats = 5;
  std::uint64_t seed = 1;
  bool json = false;
};

// Reads the command line. Without a value the program is to end with `exit_status`, after `message`
// has been printed: the help (exit_status 0, for stdout) or what is wrong (for stderr).
std::optional<options> read_options(int argc, char** argv, std::string& message, int& exit_status);

}  // namespace em3d
