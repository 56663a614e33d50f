// SPDX-License-Identifier: Apache-2.0
// The parts of `ramjet characterize` that measure two ranks: near and far, one pair of each kind
// that the machine has, and what an idle network adds. By jobs of their own.
#pragma once

#include <string>

#include "tools/characterize/estimate.hpp"
#include "tools/cli/json.hpp"

namespace tools {

// How long --quick waits for a figure.
inline constexpr characterize::patience kQuickPatience{
    .width = 0.1, .samples_min = 3, .seconds = 0.02};

struct rank_request {
  bool quick = false;
  bool near = true, far = true;
  std::string hosts;  // two, for far; empty: this machine plays them
};

// Adds what it finds to both. False: a job failed, which has been said.
bool characterize_ranks(const rank_request& wish, console::json& all, std::string& text,
                        int& status);

// Ranks of such jobs.
inline constexpr const char* kPairWorker = "--worker";
int pair_worker(int argc, char** argv);
inline constexpr const char* kSilentWorker = "--silent-rank-worker";
int silent_worker(int argc, char** argv);

}  // namespace tools
