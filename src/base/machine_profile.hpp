// SPDX-License-Identifier: Apache-2.0
// The sizes and times from which on this machine another way of doing a thing is the faster one:
// what the layers ask where they choose. `ramjet characterize` measures them; what it has not
// measured is as built in. (Arpaci et al. 1995: a machine is known by measuring it.)
//
// Threads: any reads. A profile is put to use as a job is joined, and by probes between samples.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ramjet::base {

enum class figure : std::uint8_t {
  near_read_streaming_bytes,
  near_write_streaming_bytes,
  far_read_part_bytes,
  far_write_part_bytes,
  block_bytes,
  hub_bytes,
  parts_bytes,
  short_yield_ns,
  lines_ahead,
};
inline constexpr std::size_t kFigures = 9;

// A limit that no size reaches.
inline constexpr std::uint64_t kNever = std::uint64_t{1} << 40;

// One row of the table.
struct figure_row {
  const char* name;  // in files
  std::uint64_t fallback;
  std::uint64_t least, most;  // least <= fallback <= most
  const char* room;  // that chooses by it
  const char* below;  // what is done below it: "copied through the caches"
  const char* from_it_on;  // nullptr: a count, `below` says of what
  bool for_whole_job;  // ranks that differ in it would wait for each other: all take rank 0's
  bool by_processor;  // `fallback` is this processor's: under an emulator it may be another one
};
std::span<const figure_row, kFigures> all_figures() noexcept;

// As it stands in a node's memory and in files; in the order of `figure`.
struct machine_profile {
  std::array<std::uint64_t, kFigures> values;
  std::uint64_t measured;  // bit f: values[f] was measured, else values[f] is the fallback

  std::uint64_t operator[](figure f) const noexcept { return values[std::size_t(f)]; }
  bool is_measured(figure f) const noexcept { return (measured >> unsigned(f) & 1) != 0; }
  void set(figure f, std::uint64_t value) noexcept {
    values[std::size_t(f)] = value;
    measured |= std::uint64_t{1} << unsigned(f);
  }
};

machine_profile built_in_profile() noexcept;

// Whether each value is in its range, and what is not measured is built in. What comes from files
// and from other processes is used only if this holds.
bool is_plausible(const machine_profile& profile) noexcept;

// `other`, with those figures of `first` that have to be alike in a job.
machine_profile joined_profile(const machine_profile& first, const machine_profile& other) noexcept;

// In this process, from now on. The profile is plausible.
void use_profile(const machine_profile& profile) noexcept;
machine_profile profile_in_use() noexcept;

namespace detail {
// Each a value by itself, they publish nothing.
extern std::array<std::atomic<std::uint64_t>, kFigures> figures_in_use;
}  // namespace detail

inline std::uint64_t machine(figure f) noexcept {
  return detail::figures_in_use[std::size_t(f)].load(std::memory_order_relaxed);
}

}  // namespace ramjet::base
