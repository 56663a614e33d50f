// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "key.hpp"

namespace kmer {

enum class output_form { text, json, histogram, dump };

struct options {
  unsigned k = 0;
  std::uint64_t histogram_max = 10000;
  output_form form = output_form::text;
  bool linear_bars = false;
  std::uint64_t memory_bytes = 0;  // of all ranks of a machine; 0: what is free
  std::string temporary;           // the folder for what memory has no room for
  std::string table;               // a file for the counts of all k-mers; empty: none
  std::uint64_t count_min = 1;     // of k-mers in the table and the dump
  std::vector<std::string> files;
};

// Reads the command line. Without a value the program is to end with `exit_status`, after `message`
// has been printed: the help (exit_status 0, for stdout) or what is wrong (for stderr).
std::optional<options> read_options(int argc, char** argv, std::string& message, int& exit_status);

}  // namespace kmer
