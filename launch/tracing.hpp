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
#include <span>
#include <vector>

#include "base/settings.hpp"
#include "launch/forward.hpp"
#include "launch/launch.hpp"
#include "launch/memory.hpp"
#include "trace/file/taker.hpp"
#include "trace/file/writer.hpp"

namespace ramjet::launcher {

class tracing final : public trace::event_store {
 public:
  tracing(const launch_options& options, const job_memory& memory, output_hub& output);

  // Makes the file. `ranks`: their settings, which say how large their rings are, and which
  // messages are told.
  problem open(const base::settings& ranks);
  // When take() is due, CLOCK_MONOTONIC; 0: never.
  std::uint64_t next_ns() const { return next_ns_; }
  // Takes what the rings of running ranks hold, if that is much.
  void take(std::uint64_t now_ns);
  // After the last rank's end: takes what is left, and says what the trace has not got.
  void finish();

 private:
  std::size_t take(trace::traced_ring& ring, std::span<const trace::event> events) override;
  void note_gap(trace::traced_ring& ring) override;
  void find_rings();
  void set_clock();
  void say_if_failed();

  const launch_options& job_;
  const trace_options& options_;
  std::uint64_t sample_ = 1, bytes_max_ = 0;
  const job_memory& memory_;
  output_hub& output_;
  trace::trace_sink sink_;
  trace::trace_writer writer_{sink_};
  trace::trace_clock clock_;
  trace::clock_pair started_;
  bool clock_is_set_ = false;
  bool failure_said_ = false;
  std::uint64_t next_ns_ = 0;
  std::vector<bool> node_found_;  // [nodes]: its rings are known
  std::unique_ptr<trace::event_taker> taker_;  // null: there is no trace
};

}  // namespace ramjet::launcher
