// SPDX-License-Identifier: Apache-2.0
#include "base/settings.hpp"

#include <cstdlib>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace ramjet::base {

namespace {

constexpr std::array kTable{
    setting_description{"RAMJET_CHANNEL", "shm",
                        "shm; for tests faulty:SEED (delays) or faulty:SEED:drop (loses a rank)"},
    setting_description{"RAMJET_CHAIN_LIMIT", "1G",
                        "bytes of chained messages that may wait in an endpoint"},
    setting_description{"RAMJET_SEGMENT_BYTES", "0",
                        "address space of each rank's segment; 0: from the memory size"},
    setting_description{"RAMJET_NETWORK", "tcp",
                        "networks to other machines, best first, separated by commas: tcp, ofi"},
    setting_description{"RAMJET_OFI_PROVIDER", "",
                        "libfabric's provider, as fi_info names it; empty: the best there is"},
    setting_description{"RAMJET_INTERFACE", "",
                        "network interface to other machines: its name or one of its addresses"},
    setting_description{"RAMJET_FAILURE_TIMEOUT", "5",
                        "seconds of silence after which a rank on another machine is given up; "
                        "0: never"},
    setting_description{"RAMJET_ON_FAILURE", "abort",
                        "abort, or continue: what the death of a rank means to the others, where "
                        "no `ramjet run` decides"},
    setting_description{"RAMJET_EXPLAIN_AFTER", "0",
                        "seconds without progress, some rank waiting, after which a report says "
                        "who waits for whom; 0: only on SIGUSR1"},
    setting_description{
        "RAMJET_PROGRESS", "the program's choice",
        "main, or coproc: a thread in each rank serves handlers that are safe there, and other "
        "machines' accesses to its memory; or node: one of them serves those accesses for all "
        "ranks of its machine"},
    setting_description{"RAMJET_FAR", "0",
                        "for tests: 1 reaches other ranks' memory by messages even where it is "
                        "shared"},
    setting_description{"RAMJET_ACCESS", "channel",
                        "for comparison: handlers serves accesses to memory of other machines by "
                        "messages, channel past them"},
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

bool parse_seconds(const std::string& text, std::uint64_t& milliseconds) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  if (!(seconds >= 0) || seconds > 1e6) return false;
  milliseconds = seconds == 0 ? 0 : std::max<std::uint64_t>(1, std::uint64_t(seconds * 1e3));
  return true;
}

}  // namespace

std::span<const setting_description> describe_settings() { return kTable; }

bool read_settings(settings& into, std::string& problem) {
  const auto text_of = [](std::string_view name) -> std::string {
    for (const setting_description& s : kTable)
      if (name == s.name) return value_of(s);
    return {};
  };
  const auto refuse = [&](const char* name, const char* takes) {
    problem = std::string(name) + " is \"" + text_of(name) + "\"; it takes " + takes;
    return false;
  };
  constexpr const char* kBytes =
      "a number of bytes, such as 64M or 2G, with K, M, G or T for powers of 1024";
  into.channel = text_of("RAMJET_CHANNEL");
  into.network = text_of("RAMJET_NETWORK");
  into.ofi_provider = text_of("RAMJET_OFI_PROVIDER");
  into.network_interface = text_of("RAMJET_INTERFACE");
  if (!parse_bytes(text_of("RAMJET_CHAIN_LIMIT"), into.chain_limit_bytes))
    return refuse("RAMJET_CHAIN_LIMIT", kBytes);
  if (!parse_bytes(text_of("RAMJET_SEGMENT_BYTES"), into.segment_bytes))
    return refuse("RAMJET_SEGMENT_BYTES", kBytes);
  constexpr const char* kSeconds = "a number of seconds up to 1000000, such as 5 or 0.5";
  if (!parse_seconds(text_of("RAMJET_FAILURE_TIMEOUT"), into.failure_timeout_ms))
    return refuse("RAMJET_FAILURE_TIMEOUT", kSeconds);
  if (!parse_seconds(text_of("RAMJET_EXPLAIN_AFTER"), into.explain_after_ms))
    return refuse("RAMJET_EXPLAIN_AFTER", kSeconds);
  const std::string on_failure = text_of("RAMJET_ON_FAILURE");
  into.carry_on = on_failure == "continue";
  if (!into.carry_on && on_failure != "abort")
    return refuse("RAMJET_ON_FAILURE", "abort or continue");
  into.progress = text_of("RAMJET_PROGRESS");
  if (into.progress == "the program's choice") into.progress.clear();
  const std::string& p = into.progress;
  if (!p.empty() && p != "main" && p != "coproc" && p != "node")
    return refuse("RAMJET_PROGRESS", "main, coproc or node");
  const std::string all_far = text_of("RAMJET_FAR");
  into.all_far = all_far == "1";
  if (!into.all_far && all_far != "0") return refuse("RAMJET_FAR", "0 or 1");
  const std::string access = text_of("RAMJET_ACCESS");
  into.by_handlers = access == "handlers";
  if (!into.by_handlers && access != "channel")
    return refuse("RAMJET_ACCESS", "channel or handlers");
  return true;
}

}  // namespace ramjet::base
