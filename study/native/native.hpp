// SPDX-License-Identifier: Apache-2.0
// The study's programs on this processor: compiled for each scheduler, and run in turns.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace study {

// As --scheduler of tl0 has them. By am an inlet runs at once, which the paper calls enabled.
inline constexpr std::array<std::string_view, 4> kSchedulers = {"am", "unenabled", "md", "hybrid"};
inline constexpr std::size_t kNativeAm = 0, kNativeMd = 2;

struct native_program {
  std::string name;
  std::string source, file;  // TL0, and what messages call it
  std::vector<std::string> arguments;
};

// Of one scheduler: seconds of processor time, from the process's start to its end.
struct native_times {
  std::vector<double> seconds;
  double median() const;
};

struct native_result {
  std::string name;
  std::vector<std::string> arguments;
  std::string output;
  std::array<native_times, kSchedulers.size()> by;  // kSchedulers

  // Medians: this scheduler's over AM's.
  double ratio(std::size_t scheduler) const;
};

struct native_options {
  int repeats = 5;
  std::function<void(std::string_view line)> progress;
};

// Every repeat runs all programs by all schedulers, so that other load affects all equally. Throws
// program_error: a program cannot be compiled, fails, or prints other things by one scheduler than
// by another.
std::vector<native_result> run_native(const std::vector<native_program>& programs,
                                      const native_options& options);

}  // namespace study
