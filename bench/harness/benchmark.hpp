// SPDX-License-Identifier: Apache-2.0
// What a benchmark is, and the record that it ends in. The suite itself is bench/micro/suite.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/cli/json.hpp"

namespace bench {

using console::json;

// One result. `limit` is the raw limit taken in the same run, in the same unit.
struct record {
  std::string name;
  double value = 0;
  std::string unit;
  bool lower_is_better = true;
  std::optional<double> limit;
  json params = json::object();
};

// Adds to what the table shows beside the record; it stands in the params too.
inline void add_note(record& r, const std::string& text) {
  const std::string before = r.params.text_or("note", "");
  r.params["note"] = before.empty() ? text : before + ", " + text;
}

// How much to run.
struct effort {
  static constexpr unsigned kRepeats = 41;
  static constexpr double kSeconds = 1.5;

  bool quick = false;         // only to see that everything runs
  unsigned repeats = kRepeats;
  double seconds = kSeconds;  // repeats end early after this time; 0: never

  unsigned count(unsigned full) const {
    if (!quick) return full;
    return full > 400 ? full / 100 : full < 4 ? full : 4;
  }
};

class worker;
class solo;

// Runs in the command's own process and measures whole commands.
struct command_context {
  std::string program;   // this executable
  effort how_much;
  unsigned usable_cores = 1;
  std::string wrapper;   // command that puts a rank on another network; empty: none
};

inline constexpr unsigned kAllCores = 0;

// Another benchmark, on 2 ranks, whose value a benchmark's own is a multiple of.
struct comparison {
  const char* with = nullptr;  // its name
  const char* key = nullptr;   // of the ratio among the params
};

struct benchmark {
  const char* name;
  const char* what;
  const char* unit;
  bool lower_is_better;
  // One job, and one record, for each number of ranks. kAllCores: a rank per usable core.
  std::vector<unsigned> ranks;
  unsigned cores = 0;         // the job may use only this many; 0: all
  unsigned participants = 0;  // ranks that run `body`; 0: all. The others wait in a barrier.
  unsigned machines = 1;      // that the job plays, ranks dealt in blocks
  // Ranks have co-processors, and are bound to no cores.
  bool coproc = false;
  comparison compared = {};   // with nothing, or with a benchmark that has a limit, as this has
  std::function<void(worker&)> body;  // in every participant
  // Instead of `body`: in one process, before it joins its job. Needs ranks = {1}; `cores` then
  // says how many it may use, and it is bound to none of them if that is more than one.
  std::function<void(solo&)> alone = nullptr;
  // Instead of jobs; nothing if what it needs is not there, which `missing` then says.
  std::function<std::optional<record>(const command_context&, std::string& missing)> command;
};

// All benchmarks, in the order in which they run.
std::span<const benchmark> suite();

// nullptr if there is none of that name.
const benchmark* find_benchmark(std::string_view name);

}  // namespace bench
