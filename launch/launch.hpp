// SPDX-License-Identifier: Apache-2.0
// Runs a job on this machine from start to end: the launcher behind `ramjet run`, and for others
// that need jobs (the benchmarks run their own binary with it).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/cores.hpp"
#include "node/board.hpp"
#include "report/node_memory.hpp"

namespace ramjet::launcher {

// Something else that the launcher's loop serves while the job runs.
struct side_service {
  int descriptor = -1;  // served when it is readable; -1: there is none
  // Returns when it is to be served even if that is not readable, CLOCK_MONOTONIC; 0: never.
  std::function<std::uint64_t(const report::readable_job&)> serve;
};
struct trace_options {
  std::string path;  // empty: no trace
  std::uint64_t sample = 0;  // one message in this many is traced; 0: as the environment says
  std::uint64_t bytes_max = 0;  // of the file; 0: as the environment says
};
inline constexpr std::uint64_t kTraceBytesMin = 64 * 1024;

struct launch_options {
  std::vector<std::string> command;  // program and arguments; looked up in PATH as in shells
  unsigned ranks = 1;                // 1 .. node::kRanksMax
  unsigned nodes = 1;                // 1 .. ranks: how many machines to play
  binding bind = binding::automatic;
  unsigned cores_per_rank = 0;  // 0: as `bind` says
  node::failure_policy policy = node::failure_policy::abort;
  double timeout_s = 0;        // 0: none
  // From SIGTERM to SIGKILL when the job is ended; below 0: 1 s, and 0.2 s after a rank's failure.
  double grace_s = -1;
  double explain_after_s = 0;  // 0: as the ranks' setting says
  bool tag_output = false;  // "[rank] " before every line
  bool forward_input = true;  // standard input to rank 0; the others read nothing
  std::vector<std::string> environment;  // K=V, added to the launcher's
  trace_options trace;
  // Takes the lines that ranks write to standard output, instead of forwarding them.
  std::function<void(int rank, std::string_view line)> on_stdout;
  side_service service;
};

// Opens /dev/null for each of descriptors 0 to 2 that is closed: otherwise something else that is
// opened would become a rank's standard stream. launch() does so; who opens anything for the job
// before calls it first.
void fill_standard_streams();

// Starts the job and waits for its end. Every problem is said on standard error, in one sentence
// each. When it returns, no process and no memory of the job is left. Blocks; takes the process's
// signals while it runs, so call it from the main thread and once at a time.
//
// The exit status, 0: all ranks finalized and exited with 0. Else the first failing rank's status
// (128 + signal if a signal killed it), 124 after the time-out, 128 + signal if a signal made the
// launcher end, 126 and 127 if the program cannot be executed or found, 2 for impossible options
// and settings, else 1.
int launch(const launch_options& options);

}  // namespace ramjet::launcher
