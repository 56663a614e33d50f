// SPDX-License-Identifier: Apache-2.0
// The study of Spertus and Dally 1995: six programs by both disciplines, through all caches.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "papers/study/experiment/experiment.hpp"
#include "papers/study/native/native.hpp"

namespace study {

// Of the study; in the order of the paper's Table 2, which is that of their granularity.
struct study_program {
  std::string name;  // as in the paper
  std::string file;  // embedded
  std::vector<std::string> arguments;
  std::vector<std::string> quick_arguments;
  std::vector<std::string> native_arguments;  // some tenths of a second on a processor of today
  std::vector<std::string> id_arguments;      // the same in Id, on ranks
};
const std::vector<study_program>& study_programs();

struct program_result {
  std::string name;
  std::vector<std::string> arguments;
  outcome am, md;
  outcome enabled;  // AM as it is best on one processor; no caches
};

struct study_options {
  bool is_quick = false;
  bool has_all_blocks = true;  // 8 to 64 bytes; else 64 alone
  bool first_ready_first = false;
  std::vector<std::pair<std::string, std::vector<std::string>>> arguments;  // of programs by name
  std::string programs;  // a folder that has the programs' files, in place of our own; empty: none
  unsigned threads = 1;
  bool is_native = false;  // runs them on this processor, too
  native_options native;
  std::string idc;  // compiles what runs on ranks, where there is no folder of programs
  std::function<void(std::string_view line)> progress;  // called by one thread at a time
};

inline constexpr double kMissCycles[] = {12, 24, 48};
inline constexpr double kMissCyclesNow[] = {12, 24, 48, 100, 200};  // beside native runs
inline constexpr double kMissCyclesToday = 200, kSecondLevelCycles = 14;
inline constexpr std::uint32_t kBlockBytes = 64;  // of the figures
inline constexpr std::uint32_t kTableBytes = 8192;  // of Table 2, with kTableWays
inline constexpr std::uint32_t kTableWays = 4;
inline constexpr cache_shape kTableShape{kTableBytes, kTableWays, kBlockBytes};

struct study_result {
  std::vector<program_result> programs;
  native_study native;  // in their order, if it was asked for
  bool has_all_blocks = true;

  const program_result* find(std::string_view name) const;
};

// Throws program_error.
study_result run_study(const study_options& options);

// Cycles by MD over those by AM.
double ratio(const program_result& p, const cache_shape& shape, double miss_cycles);
// With the misses of data alone.
double ratio_without_code_misses(const program_result& p, const cache_shape& shape,
                                 double miss_cycles);
// With two levels, as they are today.
double ratio_of_levels(const program_result& p);
double mean_ratio_of_levels(const study_result& s);
// Geometric mean, of the native runs.
double mean_native_ratio(const study_result& s, std::size_t scheduler);
using ratio_function = double (*)(const program_result&, const cache_shape&, double);
double mean_ratio(const study_result& s, const cache_shape& shape, double miss_cycles,
                  std::string_view without = {}, ratio_function of = ratio);
// The sizes of the figures, in bytes.
std::vector<std::uint32_t> sizes();

double threads_a_quantum(const outcome& o);
double instructions_a_thread(const outcome& o);
double instructions_a_quantum(const outcome& o);
// MD over AM, of all programs the arithmetic mean.
double mean_accesses(const study_result& s, access a);

}  // namespace study
