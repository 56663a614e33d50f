// SPDX-License-Identifier: Apache-2.0
// `ramjet run --trace`: takes the ranks' events out of their rings while the job runs, and what is
// left in them when it has ended, and writes them to a file. A rank never waits for this: it goes
// on and overwrites its oldest events, and what was overwritten before it was taken is counted
// (ADR 22).
//
// Threads: the launcher's one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "launcher/forward.hpp"
#include "launcher/launch.hpp"
#include "launcher/memory.hpp"
#include "launcher/trace_writer.hpp"

namespace ramjet::launcher {

// Of each endpoint's ring where nobody says it: together no more than a GiB for a rank's one.
std::uint64_t default_ring_bytes(unsigned ranks);

class tracing {
 public:
  tracing(const launch_options& options, const job_memory& memory, output_hub& output);

  // Makes the file. The ranks have rings of so many bytes, and tell one message of `sample`.
  problem open(std::uint64_t ring_bytes, std::uint64_t sample);
  // When take() is due, CLOCK_MONOTONIC; 0: never.
  std::uint64_t next_ns() const { return next_ns_; }
  // Takes what the rings of running ranks hold, if that is much.
  void take(std::uint64_t now_ns);
  // After the last rank's end: takes what is left, and says what the trace has not got.
  void finish();

 private:
  void find_rings();
  std::uint64_t written_in(const traced_ring& ring) const;
  void read_names(traced_ring& ring);
  void take_from(traced_ring& ring, bool at_end);
  std::uint64_t drop_before(traced_ring& ring, std::uint64_t first);
  void set_clock();
  void say_if_failed();

  const launch_options& job_;
  const trace_options& options_;
  std::uint64_t events_ = 0;  // of a ring; 0: there is no trace
  std::uint64_t sample_ = 1;
  const job_memory& memory_;
  output_hub& output_;
  trace_sink sink_;
  trace_writer writer_{sink_};
  trace_clock clock_;
  std::uint64_t started_ns_ = 0;
  bool clock_is_set_ = false;
  bool failure_said_ = false;
  std::uint64_t next_ns_ = 0;
  std::vector<traced_ring> rings_;
  std::vector<bool> is_found_;  // whether a rank's rings are among them
  unsigned ranks_found_ = 0;
  std::vector<std::uint64_t> offsets_;  // of each ring in its node's object
  std::vector<trace::event> read_;
};

}  // namespace ramjet::launcher
