// SPDX-License-Identifier: Apache-2.0
#include "base/machine_profile.hpp"

namespace ramjet::base {

namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

// Of AMD's processors: a store whose line another core has holds up those behind it, but if several
// lines are written one after the other, they are fetched side by side. Others fetch them so
// anyway, and a line prepared before it is needed is taken away again by its reader's prefetches.
// (ADR 2, with figures.)
bool wants_lines_ahead() noexcept {
#ifdef __x86_64__
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
#endif
}

constexpr std::uint64_t kLinesAhead = 8;

constexpr std::array<figure_row, kFigures> table_for(std::uint64_t lines_ahead) {
  return {{
      {"near_read_streaming_bytes", kNever, kKiB, kNever, "gas", "reads of near memory are copied",
       "they are written past the caches", false, false},
      {"near_write_streaming_bytes", kNever, kKiB, kNever, "gas",
       "writes to near memory are copied", "they are written past the caches", false, false},
      {"far_read_part_bytes", 32 * kKiB, 4 * kKiB, 60 * kKiB, "gas",
       "reads of far memory are one answer", "they are answered in parts of this size", false,
       false},
      {"far_write_part_bytes", 64 * kKiB, 16 * kKiB, 4 * kMiB, "gas",
       "writes to far memory are one access", "they are parts of this size", false, false},
      {"block_bytes", 8 * kKiB, 256, 8 * kKiB, "am", "aggregated messages gather in a block",
       "the block leaves", false, false},
      {"hub_bytes", 64 * kKiB, 64, kMiB, "collectives",
       "where ranks outnumber cores, values go by one rank", "they go by pairs, or in parts", true,
       false},
      {"parts_bytes", 16 * kKiB, 64, kNever, "collectives",
       "reductions that go by pairs exchange whole arrays", "they are reduced in parts", true,
       false},
      {"short_yield_ns", 1'500, 200, 100'000, "waits",
       "a yield of the processor found nobody else: spin longer", "somebody ran: spin less", false,
       false},
      {"lines_ahead", lines_ahead, 1, 32, "am",
       "lines that a sender prepares at a time for short messages", nullptr, false, true},
  }};
}

const std::array<figure_row, kFigures>& table() noexcept {
  static const auto rows = table_for(wants_lines_ahead() ? kLinesAhead : 1);
  return rows;
}

}  // namespace

namespace {
constexpr auto kRows = table_for(kLinesAhead);
}  // namespace

// Until a profile is put to use.
constinit std::array<std::atomic<std::uint64_t>, kFigures> detail::figures_in_use = {
    kRows[0].fallback, kRows[1].fallback, kRows[2].fallback, kRows[3].fallback, kRows[4].fallback,
    kRows[5].fallback, kRows[6].fallback, kRows[7].fallback, kRows[8].fallback};

namespace {
// For profile_in_use alone, by the thread that puts profiles to use.
constinit std::uint64_t measured_in_use = 0;
}  // namespace

std::span<const figure_row, kFigures> all_figures() noexcept { return table(); }

machine_profile built_in_profile() noexcept {
  machine_profile profile{};
  for (std::size_t f = 0; f < kFigures; ++f) profile.values[f] = table()[f].fallback;
  return profile;
}

bool is_plausible(const machine_profile& profile) noexcept {
  if (profile.measured >> kFigures != 0) return false;
  for (std::size_t f = 0; f < kFigures; ++f) {
    const figure_row& row = table()[f];
    const std::uint64_t value = profile.values[f];
    if (value < row.least || value > row.most) return false;
    if (!profile.is_measured(figure(f)) && !row.by_processor && value != row.fallback) return false;
  }
  return true;
}

machine_profile joined_profile(const machine_profile& first,
                               const machine_profile& other) noexcept {
  machine_profile joined = other;
  for (std::size_t f = 0; f < kFigures; ++f) {
    if (!table()[f].for_whole_job) continue;
    const std::uint64_t bit = std::uint64_t{1} << f;
    joined.values[f] = first.values[f];
    joined.measured = (joined.measured & ~bit) | (first.measured & bit);
  }
  return joined;
}

void use_profile(const machine_profile& profile) noexcept {
  for (std::size_t f = 0; f < kFigures; ++f)
    detail::figures_in_use[f].store(profile.values[f], std::memory_order_relaxed);
  measured_in_use = profile.measured;
}

machine_profile profile_in_use() noexcept {
  machine_profile profile{};
  for (std::size_t f = 0; f < kFigures; ++f) profile.values[f] = machine(figure(f));
  profile.measured = measured_in_use;
  return profile;
}

}  // namespace ramjet::base
