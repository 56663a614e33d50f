// SPDX-License-Identifier: Apache-2.0
// A job of this executable's own that measures something and prints it as JSON from rank 0.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/json.hpp"

namespace tools {

struct probe_job {
  std::vector<std::string> words;  // of the command, behind the name of this executable
  unsigned ranks = 2;
  unsigned nodes = 1;
  bool uses_profile = false;  // else figures are as built in
  std::string hosts = {};  // as `ramjet run --hosts` takes them; empty: this machine
};

// Nothing if the job failed, which has been said in the command's name; `status` is for its exit.
std::optional<console::json> results_of(const probe_job& job, const char* command, int& status);

// Whether the user has ended such a job, by that status: then what is left is not measured either.
bool is_interruption(int status);

// The object that `measure` returns, with its "drift" (tools/characterize/drift.hpp) and whether
// the machine was "steady". Where it was not, `measure` is called once more, unless that has to be
// quick, and the steadier of the two counts. `status` is what `measure` sets. Nothing where the
// first one failed, or the user has ended the second one.
std::optional<console::json> steadier(bool quick, int& status,
                                      const std::function<std::optional<console::json>()>& measure);

}  // namespace tools
