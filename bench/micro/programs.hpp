// SPDX-License-Identifier: Apache-2.0
// Programs of this build that time themselves and print JSON: run again and again, in turns, so
// that what else the machine does disturbs all alike.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/benchmark.hpp"
#include "harness/samples.hpp"

namespace bench {

// One command, and what its runs reported, by name.
struct program {
  std::string name;
  std::vector<std::string> words;
  std::map<std::string, samples> found;

  double median(const std::string& result) const { return found.at(result).median(); }
};

struct job_shape {
  unsigned ranks = 2;
  unsigned nodes = 1;
};

// `ramjet run` of the program with --json and the arguments; nothing, and what is missing, if it is
// not there.
std::optional<program> program_of(const command_context& c, const std::string& name,
                                  job_shape shape, const std::vector<std::string>& arguments,
                                  std::string& missing);

using reader = void (*)(const console::json& report, std::map<std::string, samples>& found);

// As often as `how_much` says, at most nine times: a run holds many rounds already. Returns how
// often. Throws std::runtime_error if a run fails.
unsigned run_in_turns(const effort& how_much, reader read,
                      std::initializer_list<program*> programs);

}  // namespace bench
