// SPDX-License-Identifier: Apache-2.0
// What a trace says of a job: where its time went, and whom it waited for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/trace/file.hpp"

namespace traces {

// Messages to one handler.
struct handler_row {
  std::string name;
  std::uint64_t messages = 0;  // handled
  std::uint64_t bytes = 0;
  std::uint64_t busy_ns = 0;  // in the handler
  std::uint64_t joined = 0;  // whose send is known
  std::uint64_t flight_ns = 0;  // of these, from send to handler, together
  std::uint64_t flight_ns_max = 0;
};

// Waits for one thing.
struct wait_row {
  std::string name;
  std::uint64_t waits = 0;
  std::uint64_t total_ns = 0;
  std::uint64_t longest_ns = 0;
  std::uint32_t longest_rank = 0;
};

// One wait. Where another rank ended it, that one sent, or came, late_ns after it had begun.
struct long_wait {
  std::string name;
  std::uint32_t rank = 0, endpoint = 0;
  std::uint64_t begin_ns = 0, end_ns = 0;
  std::int32_t cause_rank = -1;  // -1: not known
  std::uint64_t late_ns = 0;
  bool for_signal = false;
};

// How long others waited for messages that this rank had not sent yet, or for it to come to a
// collective.
struct late_row {
  std::uint32_t rank = 0;
  std::uint64_t waits = 0;
  std::uint64_t total_ns = 0;
};

struct pair_row {
  std::uint64_t messages = 0;  // and accesses
  std::uint64_t bytes = 0;
};

// A stretch of the longest chain: what the rank did until it sent what the next one waited for.
struct path_row {
  std::uint32_t rank = 0;
  std::uint64_t begin_ns = 0, end_ns = 0;
  std::string sent;  // the message, or the collective, that ends it
};

struct trace_analysis {
  std::uint64_t first_ns = 0;  // of the events' times
  std::uint64_t duration_ns = 0;  // from there on
  std::uint64_t sends = 0, handled = 0, accesses = 0, switches = 0;
  std::uint64_t unexplained_signals = 0;  // waits for signals whose sender the trace does not have
  std::vector<handler_row> handlers;  // the busiest first
  std::vector<wait_row> waits, collectives;  // the longest first
  std::vector<long_wait> longest;  // waits, the longest first; some
  std::vector<late_row> late;  // the latest first
  std::map<std::pair<std::uint32_t, std::uint32_t>, pair_row> pairs;  // from, to
  std::vector<path_row> path;  // from the job's start to its end
  std::vector<std::uint64_t> path_ns;  // by rank
  std::uint64_t path_flight_ns = 0;  // between them
};

trace_analysis analyse(const job_trace& job);

// How to trace the sender of each signal that was waited for; empty if the trace has them all.
std::string near_accesses_hint(const trace_analysis& a);

}  // namespace traces
