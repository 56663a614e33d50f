// SPDX-License-Identifier: Apache-2.0
#include "base/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>

#include "base/cpus.hpp"

namespace ramjet::base {

namespace {

constexpr const char* kBytes =
    "a number of bytes, such as 64M or 2G, with K, M, G or T for powers of 1024";
constexpr const char* kSeconds = "a number of seconds up to 1000000, such as 5 or 0.5";
constexpr const char* kProgramsChoice = "the program's choice";

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

// One of two words; `value` becomes whether it is the second.
bool parse_either(const std::string& text, const char* no, const char* yes, bool& value) {
  value = text == yes;
  return value || text == no;
}

bool parse_whole(const std::string& text, std::uint64_t& value) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && at == end;
}

bool parse_networks(const std::string& text, std::vector<std::string>& names) {
  names.clear();
  for (std::size_t at = 0; at <= text.size(); at += names.back().size() + 1) {
    const std::string name = text.substr(at, text.find(',', at) - at);
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (!is_network(name) || !is_new) return false;
    names.push_back(name);
  }
  return true;
}

// A whole number; none for the program's choice.
bool parse_number_or_choice(const std::string& text, std::optional<std::uint64_t>& value) {
  value.reset();
  if (text == kProgramsChoice) return true;
  return parse_whole(text, value.emplace());
}

constexpr std::array kTable{
    setting{"RAMJET_CHANNEL", "the name of a channel", "shm",
            "shm; for tests faulty:SEED (delays) or faulty:SEED:drop (loses a rank)",
            [](const std::string& text, settings& s) { return s.channel = text, true; }},
    setting{"RAMJET_CHAIN_LIMIT", kBytes, "1G",
            "bytes of chained messages, and of what handlers write to other nodes, that may wait "
            "in an endpoint",
            [](const std::string& text, settings& s) {
              return parse_bytes(text, s.chain_limit_bytes);
            }},
    setting{
        "RAMJET_SEGMENT_BYTES", kBytes, "0",
        "address space of each rank's segment, beside what the program's symmetric variables and "
        "stack take of it; 0: from the memory size",
        [](const std::string& text, settings& s) { return parse_bytes(text, s.segment_bytes); }},
    setting{"RAMJET_NETWORK", "networks, best first, separated by commas: tcp, ofi", "tcp",
            "networks to other machines, best first, separated by commas: tcp, ofi",
            [](const std::string& text, settings& s) { return parse_networks(text, s.networks); }},
    setting{"RAMJET_OFI_PROVIDER", "the name of a provider", "",
            "libfabric's provider, as fi_info names it; empty: the best there is",
            [](const std::string& text, settings& s) { return s.ofi_provider = text, true; }},
    setting{"RAMJET_INTERFACE", "a name or an address", "",
            "network interface to other machines: its name or one of its addresses",
            [](const std::string& text, settings& s) { return s.network_interface = text, true; }},
    setting{"RAMJET_FAILURE_TIMEOUT", kSeconds, "5",
            "seconds of silence after which a rank on another machine is given up; 0: never",
            [](const std::string& text, settings& s) {
              return parse_seconds(text, s.failure_timeout_ms);
            }},
    setting{"RAMJET_ON_FAILURE", "abort or continue", "abort",
            "abort, or continue: what the death of a rank means to the others, where no `ramjet "
            "run` decides",
            [](const std::string& text, settings& s) {
              return parse_either(text, "abort", "continue", s.carry_on);
            }},
    setting{"RAMJET_EXPLAIN_AFTER", kSeconds, "0",
            "seconds without progress, some rank waiting, after which a report says who waits for "
            "whom; 0: only on SIGUSR1",
            [](const std::string& text, settings& s) {
              return parse_seconds(text, s.explain_after_ms);
            }},
    setting{"RAMJET_PROGRESS", "main, coproc or node", kProgramsChoice,
            "main: handlers run where the program polls; or coproc: a thread in each rank runs "
            "handlers that are safe there, and serves other machines' accesses to its memory at "
            "once; or node: one of them serves those accesses for all ranks of its machine",
            [](const std::string& text, settings& s) {
              s.progress = text == kProgramsChoice ? "" : text;
              return s.progress.empty() || text == "main" || text == "coproc" || text == "node";
            }},
    setting{"RAMJET_PROFILE", "none, or the name of a file", "",
            "what `ramjet characterize` has stored of this machine is used; none: built-in figures "
            "are, or a file: those in it",
            [](const std::string& text, settings& s) { return s.profile = text, true; }},
    setting{"RAMJET_FAR", "0 or 1", "0",
            "for tests: 1 reaches other ranks' memory by messages even where it is shared",
            [](const std::string& text, settings& s) {
              return parse_either(text, "0", "1", s.all_far);
            }},
    setting{"RAMJET_ACCESS", "channel or handlers", "channel",
            "for comparison: handlers serves accesses to memory of other machines by messages, "
            "channel past them",
            [](const std::string& text, settings& s) {
              return parse_either(text, "channel", "handlers", s.by_handlers);
            }},
    setting{
        "RAMJET_SPLITC_STACK",
        "a number of bytes from 256K on, such as 64M or 2G, with K, M, G or T for powers of 1024",
        "64M", "address space of the stack that splitc_main has, in each rank's segment",
        [](const std::string& text, settings& s) {
          return parse_bytes(text, s.splitc_stack_bytes) && s.splitc_stack_bytes >= 256 * 1024;
        }},
    setting{"RAMJET_DUMP", "program or segment", "program",
            "what a core dump of a rank has of shared memory: its program's symmetric variables "
            "and stack, or also the touched pages of its segment",
            [](const std::string& text, settings& s) {
              return parse_either(text, "program", "segment", s.dump_segment);
            }},
    setting{"RAMJET_TRACE", "the name of a file", "",
            "the trace of the job goes there, as with `ramjet run --trace`, also under srun and "
            "mpirun",
            [](const std::string& text, settings& s) { return s.trace_file = text, true; }},
    setting{"RAMJET_TRACE_LIMIT", "a number of bytes from 64K on, such as 64M", "256M",
            "how large the file of a trace may become",
            [](const std::string& text, settings& s) {
              return parse_bytes(text, s.trace_limit) && s.trace_limit >= 64 * 1024;
            }},
    setting{"RAMJET_TRACE_BYTES", "a number of bytes, such as 64M, up to the machine's memory", "0",
            "memory of each endpoint for its latest events, where the job is traced; 0: 8M, or "
            "less where there are many ranks; none are noted without a trace",
            [](const std::string& text, settings& s) {
              return parse_bytes(text, s.trace_bytes) &&
                     (s.trace_bytes == 0 || s.trace_bytes <= usable_memory());
            }},
    setting{"RAMJET_TRACE_SAMPLE", "a whole number from 1 on", "1",
            "one of how many messages a trace tells",
            [](const std::string& text, settings& s) {
              return parse_whole(text, s.trace_sample) && s.trace_sample >= 1;
            }},
    setting{"RAMJET_TRACE_NEAR", "0 or 1", "0",
            "1: a trace tells accesses to the memory of other ranks of the same node, too; each "
            "takes some 50 ns then",
            [](const std::string& text, settings& s) {
              return parse_either(text, "0", "1", s.trace_near);
            }},
    setting{"RAMJET_ULT_WORKERS", "a whole number up to 256", kProgramsChoice,
            "system threads for user-level threads; 0: one for each usable processor",
            [](const std::string& text, settings& s) {
              return parse_number_or_choice(text, s.ult_workers) &&
                     s.ult_workers.value_or(0) <= kUltWorkersMax;
            }},
    setting{"RAMJET_ULT_SHUFFLE", "a whole number", kProgramsChoice,
            "for tests: shuffles the order of ready threads by this seed; 0: in turn",
            [](const std::string& text, settings& s) {
              return parse_number_or_choice(text, s.ult_shuffle);
            }},
};

// What else has such a name: what `ramjet run` hands down to ranks and their terminals.
constexpr const char* kOthers[] = {
    "RAMJET_JOB_FD",       "RAMJET_RANK",        "RAMJET_SIZE",           "RAMJET_JOB_SECRET",
    "RAMJET_NODE",         "RAMJET_NODES",       "RAMJET_STDOUT_COLUMNS", "RAMJET_STDERR_COLUMNS",
    "RAMJET_DIRECTORY_FD", "RAMJET_LAUNCHER_PID"};

// Letters to put in, take out or replace to make one of the other (Levenshtein 1966).
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

constexpr std::string_view kPrefix = "RAMJET_";

// The setting that the name is meant for, as far as one can guess; nullptr: probably none.
const setting* nearest_setting(std::string_view name) {
  constexpr std::size_t kSlips = 2, kTelling = 4;
  const setting* nearest = nullptr;
  std::size_t fewest = kSlips + 1;
  for (const setting& s : kTable) {
    const std::string_view right = s.name;
    std::size_t edits = edits_between(name, right);
    const bool is_cut = right.starts_with(name) || name.starts_with(right);
    if (is_cut && name.size() >= kPrefix.size() + kTelling) edits = std::min(edits, kSlips);
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = &s;
  }
  return nearest;
}

}  // namespace

std::span<const setting> all_settings() { return kTable; }

bool read_settings(settings& into, std::string& problem, std::string_view prefix) {
  for (const setting& s : kTable) {
    if (!std::string_view(s.name).starts_with(prefix)) continue;
    const char* given = std::getenv(s.name);
    const std::string text = given != nullptr && *given != '\0' ? given : s.fallback;
    if (s.read(text, into)) continue;
    problem = std::string(s.name) + " is \"" + text + "\"; it takes " + s.takes;
    return false;
  }
  return true;
}

const settings* process_settings(std::string& problem) {
  static std::mutex mutex;
  static std::optional<settings> read;
  const std::lock_guard lock(mutex);
  if (!read.has_value()) {
    settings s{};
    if (!read_settings(s, problem)) return nullptr;
    read = s;
  }
  return &*read;
}

std::vector<std::string> misspelt_settings(const char* const* environment) {
  std::vector<std::string> sentences;
  for (; *environment != nullptr; ++environment) {
    const std::string_view variable = *environment;
    const std::string_view name = variable.substr(0, variable.find('='));
    const auto is_name = [name](const auto& known) { return name == known; };
    if (!name.starts_with(kPrefix) ||
        std::any_of(std::begin(kOthers), std::end(kOthers), is_name) ||
        std::any_of(kTable.begin(), kTable.end(),
                    [&](const setting& s) { return is_name(s.name); }))
      continue;
    if (const setting* meant = nearest_setting(name))
      sentences.push_back(std::string(name) + " is not a setting of Ramjet, and is ignored: is " +
                          meant->name + " meant?");
  }
  return sentences;
}

}  // namespace ramjet::base
