// SPDX-License-Identifier: Apache-2.0
// What the processor counts while other programs run, by the kernel's perf_event_open(2). One
// thread has it and starts these programs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace study {

// As the kernel names them: a kind of event and its number.
struct hardware_event {
  const char* name;
  std::uint32_t type;
  std::uint64_t number;
};
inline constexpr std::size_t kHardwareEvents = 4;
using hardware_events = std::array<hardware_event, kHardwareEvents>;
// Cycles, instructions, misses of data in the first level and of all in the last one.
extern const hardware_events kHardware;
inline constexpr std::size_t kCycles = 0, kInstructions = 1;

using hardware_counts = std::array<std::optional<double>, kHardwareEvents>;

// Counts what children execute in user mode from their exec() on, and their children. Counters that
// have to take turns are scaled to the whole time.
class hardware_counters {
 public:
  explicit hardware_counters(const hardware_events& events = kHardware);
  ~hardware_counters();
  hardware_counters(const hardware_counters&) = delete;
  hardware_counters& operator=(const hardware_counters&) = delete;

  // Of children that have ended since the last call, or since the beginning.
  hardware_counts take();
  // Which of the events the kernel does not count, and why; empty: none.
  const std::string& missing() const { return missing_; }

 private:
  // What read() gives: the sum so far, and for how long it was to be counted and was.
  struct reading {
    std::uint64_t count = 0, enabled_ns = 0, running_ns = 0;
  };

  int of_this_process_;  // keeps the others this process's own; -1: the kernel counts nothing
  std::array<int, kHardwareEvents> files_;  // -1: the kernel does not count it
  std::array<reading, kHardwareEvents> before_;
  std::string missing_;
};

}  // namespace study
