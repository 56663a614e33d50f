// SPDX-License-Identifier: Apache-2.0
// A file of `ramjet run --trace`, read: its slices and instants as arrays. What is in a file is
// checked; one that is cut is read as far as it goes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace traces {

// Why a file cannot be read at all: one sentence.
class bad_trace : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class trace_kind : std::uint8_t { send, handler, reply, wait, collective, access, thread };
inline constexpr std::size_t kTraceKinds = 7;

inline constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};

struct trace_event {
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = kNoEnd;  // kNoEnd: the file does not say
  std::uint64_t flow = 0, end_of_flow = 0;  // 0: none
  std::uint32_t name = 0;
  std::uint32_t rank = 0;
  std::uint32_t endpoint = 0;
  std::int32_t peer = -1;  // a rank; -1: none, or several
  std::uint64_t bytes = 0;
  std::uint64_t call = 0;  // of a collective: its team and tag
  trace_kind kind = trace_kind::send;
  bool is_inner = false;  // inside another wait or collective of its kind
};

struct traced_ranks {
  std::uint32_t rank, endpoint;
  std::uint64_t told, lost;
};

struct job_trace {
  std::string program;
  unsigned ranks = 0, nodes = 0, endpoints = 1;
  std::uint64_t sample = 1;
  std::uint64_t clock_error_ns = 0;
  std::vector<trace_event> events;  // in the file's order: of one track in that of time
  std::vector<std::string> names;
  std::vector<traced_ranks> rings;
  bool is_cut = false;  // its end is not there
  bool is_partial = false;  // it has more events than fit here

  std::uint64_t lost() const;
};

// Whether the file begins as those of `ramjet run --trace` do. Reads some bytes; false where it
// cannot be read, or is no plain file.
bool is_trace(const std::string& path);

// Throws bad_trace.
job_trace read_trace(const std::string& path);

}  // namespace traces
