// SPDX-License-Identifier: Apache-2.0
// `ramjet bench --compare`: this run, or one in a file, beside an earlier one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/command/command_line.hpp"
#include "tools/pages/comparison.hpp"

namespace tools {

inline constexpr int kWorseStatus = 3, kNothingComparedStatus = 4;

struct comparison_request {
  std::string old_file, new_file;  // empty: no comparison; the run that is made now
  double tolerance = pages::kTolerance;
};

// Its options; `percent` is what is typed.
void add_options(console::command_line& line, comparison_request& wish, std::string& percent);
// Nothing, or the exit status after one line has said what is wrong.
std::optional<int> check_options(const char* command, const std::string& percent,
                                 comparison_request& wish);

// The names of a run's benchmarks, each once. Throws pages::input_error where it is another thing.
std::vector<std::string> names_of(const pages::input& run);

// The records of these benchmarks alone; all of them for no names. Throws pages::input_error where
// there are none.
pages::input only(const pages::input& run, const std::vector<std::string>& names);

// Prints the comparison. Returns the exit status: 0; kWorseStatus if a row is worse;
// kNothingComparedStatus if of no row anything can be said.
int print_comparison(const pages::input& old_run, const pages::input& new_run,
                     const comparison_request& wish, bool as_json);

}  // namespace tools
