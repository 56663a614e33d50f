// SPDX-License-Identifier: Apache-2.0
// Every setting that the environment can give a rank, in one table: it drives parsing, `ramjet
// info` and the manual. A setting is here because a measured use needs it.
//
// Threads: any may read them; a program that changes its environment meanwhile does so at its own
// risk, as with getenv.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ramjet::base {

inline constexpr unsigned kUltWorkersMax = 256;

// Whether there is a network of that name.
inline bool is_network(std::string_view name) { return name == "tcp" || name == "ofi"; }

struct settings {
  std::string channel;              // RAMJET_CHANNEL
  std::uint64_t chain_limit_bytes;  // RAMJET_CHAIN_LIMIT
  std::uint64_t segment_bytes;      // RAMJET_SEGMENT_BYTES
  std::vector<std::string> networks;  // RAMJET_NETWORK: tcp, ofi or both, the best first
  std::string ofi_provider;         // RAMJET_OFI_PROVIDER
  std::string network_interface;    // RAMJET_INTERFACE
  std::uint64_t failure_timeout_ms;  // RAMJET_FAILURE_TIMEOUT; 0: none
  bool carry_on;                    // RAMJET_ON_FAILURE=continue
  std::uint64_t explain_after_ms;   // RAMJET_EXPLAIN_AFTER; 0: on SIGUSR1 only
  std::string profile;  // RAMJET_PROFILE: none, or a file; empty: this user's
  std::string progress;  // RAMJET_PROGRESS: main, coproc or node; empty: the program's choice
  bool all_far = false;             // RAMJET_FAR
  bool by_handlers = false;         // RAMJET_ACCESS=handlers
  std::uint64_t splitc_stack_bytes;  // RAMJET_SPLITC_STACK
  bool dump_segment = false;         // RAMJET_DUMP=segment
  std::string trace_file;            // RAMJET_TRACE; empty: no file
  std::uint64_t trace_limit;         // RAMJET_TRACE_LIMIT: of the file
  std::uint64_t trace_bytes;         // RAMJET_TRACE_BYTES; 0: no trace, or as the file wants it
  std::uint64_t trace_sample;        // RAMJET_TRACE_SAMPLE
  bool trace_near = false;           // RAMJET_TRACE_NEAR
  // RAMJET_ULT_WORKERS, up to kUltWorkersMax; none: the program's choice
  std::optional<std::uint64_t> ult_workers;
  std::optional<std::uint64_t> ult_shuffle;  // RAMJET_ULT_SHUFFLE, likewise
};

// One row of the table.
struct setting {
  const char* name;  // of the environment variable
  const char* takes;  // its values: type and range, as the end of "it takes ..."
  const char* fallback;  // as text; empty: nothing
  const char* meaning;
  // Puts the value of a text where it belongs; false if the setting does not take it.
  bool (*read)(const std::string& text, settings& into);
};

std::span<const setting> all_settings();

// Reads those whose names begin so; false leaves one sentence about the first bad value in
// `problem`.
bool read_settings(settings& into, std::string& problem, std::string_view prefix = "RAMJET_");
// Of user-level threads, which a program may have without a job.
inline constexpr std::string_view kThreadSettings = "RAMJET_ULT_";
// The settings of this process: read at the first call that succeeds, and the same from then on;
// nullptr leaves a sentence.
const settings* process_settings(std::string& problem);

// The variables of this list ("NAME=value", nullptr at its end) that read like a setting and are
// none: a sentence for each, with the setting that is probably meant.
std::vector<std::string> misspelt_settings(const char* const* environment);

}  // namespace ramjet::base
