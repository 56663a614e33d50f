// SPDX-License-Identifier: Apache-2.0
// Every setting that the environment can give a rank, in one table: it drives parsing, `ramjet
// info` and the manual. A setting is here because a measured use needs it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace ramjet::base {

struct settings {
  std::string channel;              // RAMJET_CHANNEL
  std::uint64_t chain_limit_bytes;  // RAMJET_CHAIN_LIMIT
  std::uint64_t segment_bytes;      // RAMJET_SEGMENT_BYTES
  std::string network;              // RAMJET_NETWORK
  std::string ofi_provider;         // RAMJET_OFI_PROVIDER
  std::string network_interface;    // RAMJET_INTERFACE
  std::uint64_t failure_timeout_ms;  // RAMJET_FAILURE_TIMEOUT; 0: none
  bool carry_on;                    // RAMJET_ON_FAILURE=continue
  std::uint64_t explain_after_ms;   // RAMJET_EXPLAIN_AFTER; 0: only when asked
  std::string progress;  // RAMJET_PROGRESS: main, coproc or node; empty: the program's choice
  bool all_far = false;             // RAMJET_FAR
  bool by_handlers = false;         // RAMJET_ACCESS=handlers
};

struct setting_description {
  const char* name;  // of the environment variable
  const char* fallback;  // as text
  const char* meaning;
};

// One row a setting.
std::span<const setting_description> describe_settings();

// Reads them; false leaves one sentence about the first bad value in `problem`.
bool read_settings(settings& into, std::string& problem);

}  // namespace ramjet::base
