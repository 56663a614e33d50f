// SPDX-License-Identifier: Apache-2.0
#include "base/settings.hpp"

#include <cstdlib>

#include <array>
#include <charconv>

namespace ramjet::base {

namespace {

constexpr std::array kTable{
    setting_description{"RAMJET_CHANNEL", "shm",
                        "shm; for tests faulty:SEED (delays) or faulty:SEED:drop (loses a rank)"},
    setting_description{"RAMJET_CHAIN_LIMIT", "1G",
                        "bytes of chained messages that may wait in an endpoint"},
    setting_description{"RAMJET_SEGMENT_BYTES", "0",
                        "address space of each rank's segment; 0: from the memory size"},
    setting_description{"RAMJET_FAR", "0",
                        "for tests: 1 reaches other ranks' memory by messages even where it is "
                        "shared"},
    // Read where user-level threads start (src/ult/workers.cpp): a program may do without a job.
    setting_description{"RAMJET_ULT_WORKERS", "the program's choice",
                        "system threads for user-level threads; 0: one for each usable processor"},
    setting_description{"RAMJET_ULT_SHUFFLE", "the program's choice",
                        "for tests: shuffles the order of ready threads by this seed; 0: in turn"},
};

const char* value_of(const setting_description& s) {
  const char* given = std::getenv(s.name);
  return given != nullptr && *given != '\0' ? given : s.fallback;
}

// A number with an optional suffix K, M, G or T (powers of 1024).
bool parse_bytes(const std::string& text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  const std::string suffix(end, text.data() + text.size());
  if (suffix.empty()) return true;
  const std::size_t power = std::string("KMGT").find(suffix);
  if (suffix.size() != 1 || power == std::string::npos) return false;
  const unsigned shift = 10 * unsigned(power + 1);
  if (value >> (64 - shift) != 0) return false;
  value <<= shift;
  return true;
}

}  // namespace

std::span<const setting_description> describe_settings() { return kTable; }

bool read_settings(settings& into, std::string& problem) {
  into.channel = value_of(kTable[0]);
  const std::array sizes{&into.chain_limit_bytes, &into.segment_bytes};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const setting_description& s = kTable[i + 1];
    if (parse_bytes(value_of(s), *sizes[i])) continue;
    problem =
        std::string(s.name) + " is \"" + value_of(s) +
        "\"; it takes a number of bytes, such as 64M or 2G, with K, M, G or T for powers of 1024";
    return false;
  }
  const setting_description& far = kTable[3];
  const std::string all_far = value_of(far);
  if (all_far != "0" && all_far != "1") {
    problem = std::string(far.name) + " is \"" + all_far + "\"; it can be 0 or 1";
    return false;
  }
  into.all_far = all_far == "1";
  return true;
}

}  // namespace ramjet::base
