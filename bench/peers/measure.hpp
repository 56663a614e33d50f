// SPDX-License-Identifier: Apache-2.0
// What the raw limit and both peers share around a measurement: checks that are always on, a clock,
// medians, pinning, the size of a run, and the records that are printed. No state of its own.
#pragma once

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace peers {

inline constexpr int kRanksMax = 64;

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
  std::abort();
}

// A benchmark whose messages arrive wrong has measured nothing, so these stay on in every build.
#define PEERS_CHECK(condition)                               \
  do {                                                       \
    if (!(condition)) [[unlikely]] {                         \
      ::peers::check_failed(#condition, __FILE__, __LINE__); \
    }                                                        \
  } while (false)

inline double now_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

inline double median(std::vector<double> values) {
  PEERS_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The cores that this process may run on: ranks are pinned to them in turn.
inline std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  PEERS_CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

inline void pin_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  PEERS_CHECK(sched_setaffinity(0, sizeof set, &set) == 0);
}

// How much to run: a full run resolves a few per cent, a tiny one only shows that all checks hold.
struct plan {
  int repeats = 51;
  int repeats_min = 3;
  int shrink = 1;
  // A row ends early after this time: where other programs compete for the cores, ranks wait for
  // each other most of the time, and a fixed number of messages would take minutes.
  double row_ns_max = 1e9;

  int count(int full) const { return std::max(full / shrink, 16); }

  static plan from_arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      if (std::string_view(argv[i]) == "--tiny") {
        return plan{.repeats = 1, .repeats_min = 1, .shrink = 20};
      }
    }
    return plan{};
  }
};

inline const char* argument(int argc, char** argv, std::string_view name, const char* otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (name == argv[i]) {
      return argv[i + 1];
    }
  }
  return otherwise;
}

struct sample {
  double value = 0;
  double limit = 0;
};

struct record {
  std::string name;
  std::string unit;
  sample measured;
  int ranks = 2;
  size_t payload_bytes = 8;

  // Times and sizes are better low, rates high: the unit decides.
  bool lower_is_better() const { return unit == "ns" || unit == "ms" || unit == "B"; }

  // `extra` is either empty or further members of "params", each preceded by a comma.
  std::string json(const std::string& extra) const {
    char text[512];
    char limit[96] = R"("limit": null, "ratio_to_limit": null)";
    if (measured.limit > 0) {
      std::snprintf(limit, sizeof limit, R"("limit": %.6g, "ratio_to_limit": %.4g)", measured.limit,
                    measured.value / measured.limit);
    }
    std::snprintf(text, sizeof text,
                  R"({"name": "%s", "value": %.6g, "unit": "%s", "better": "%s", %s, )"
                  R"("params": {"ranks": %d, "payload_bytes": %zu)",
                  name.c_str(), measured.value, unit.c_str(),
                  lower_is_better() ? "lower" : "higher", limit, ranks, payload_bytes);
    return std::string(text) + extra + "}}";
  }
};

inline std::string json_lines(const std::vector<record>& records, const std::string& extra) {
  std::string text;
  for (const record& each : records) {
    text += text.empty() ? "  " : ",\n  ";
    text += each.json(extra);
  }
  return text;
}

// One array of the records of all groups.
inline void print_records(const std::vector<std::string>& groups) {
  const char* before = "[\n";
  for (const std::string& group : groups) {
    std::printf("%s%s", before, group.c_str());
    before = ",\n";
  }
  std::printf("\n]\n");
}

// A further member of "params", to be passed as `extra`.
inline std::string json_member(std::string_view name, std::string_view value) {
  std::string text = ", \"";
  text += name;
  text += "\": \"";
  for (char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  text += '"';
  return text;
}

// Compiler and flags.
inline std::string build_text() {
  std::string text = "compiler " __VERSION__;
#ifdef PEERS_FLAGS
  text += " " PEERS_FLAGS;
#endif
  return text;
}

}  // namespace peers
