// SPDX-License-Identifier: Apache-2.0
// The study's programs on this processor: compiled for each scheduler, and run in turns; by
// themselves, and as jobs of 1 to all ranks.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "papers/study/native/hardware.hpp"

namespace study {

// As --scheduler of tl0 has them. By am an inlet runs at once, which the paper calls enabled.
inline constexpr std::array<std::string_view, 4> kSchedulers = {"am", "unenabled", "md", "hybrid"};
inline constexpr std::size_t kNativeAm = 0, kNativeMd = 2;

struct native_program {
  std::string name;
  std::string source, file;  // TL0, and what messages call it
  std::vector<std::string> arguments;
};

// Of one scheduler.
struct native_times {
  std::vector<double> seconds;
  double median() const;
};
using times_by_scheduler = std::array<native_times, kSchedulers.size()>;

// By itself: seconds of processor time, from the process's start to its end.
struct native_result {
  std::string name;
  std::vector<std::string> arguments;
  std::string output;
  times_by_scheduler by;
  // Medians of the runs' counts; what the kernel does not count is missing.
  std::array<hardware_counts, kSchedulers.size()> counts;

  // Medians: this scheduler's over AM's.
  double ratio(std::size_t scheduler) const;
};

// By `ramjet run`: seconds from its start to its end.
struct ranks_result {
  std::string name;
  std::vector<std::string> arguments;
  std::string output;
  std::vector<times_by_scheduler> by_ranks;  // of native_study::ranks

  double speed_up(std::size_t ranks_index, std::size_t scheduler) const;
};

struct native_study {
  std::vector<native_result> alone;
  std::string counts_missing;  // which of kHardware, and why; empty: none
  std::vector<ranks_result> on_ranks;
  // 1 first. For more ranks there was no time.
  std::vector<unsigned> ranks;

  // Geometric mean of the programs'.
  double mean_speed_up(std::size_t ranks_index, std::size_t scheduler) const;
};

struct native_options {
  int repeats = 5;
  std::string launcher;         // `ramjet`
  std::vector<unsigned> ranks;  // 1 first, and growing; empty: none of the runs by the launcher
  double ranks_seconds = 120;   // none of these begins later, but those on one rank
  std::function<void(std::string_view line)> progress;
};

// Every repeat runs all programs by all schedulers, so that other load affects all equally. Throws
// program_error: a program cannot be compiled, fails, or prints other things by one scheduler than
// by another.
native_study run_native(const std::vector<native_program>& alone,
                        const std::vector<native_program>& on_ranks, const native_options& options);

}  // namespace study
