// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kmer {

// Longest k-mer: two bits a base in one word, which leaves room for a table's mark.
inline constexpr unsigned kLengthMax = 31;

enum class output_form { text, json, histogram };

struct options {
  unsigned k = 0;
  std::uint64_t histogram_max = 10000;
  output_form form = output_form::text;
  bool linear_bars = false;
  std::vector<std::string> files;
};

// Reads the command line. Without a value the program is to end with `exit_status`, after `message`
// has been printed: the help (exit_status 0, for stdout) or what is wrong (for stderr).
std::optional<options> read_options(int argc, char** argv, std::string& message, int& exit_status);

}  // namespace kmer
