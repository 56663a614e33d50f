// SPDX-License-Identifier: Apache-2.0
// What the kernel counts for a process: time, memory, threads (/proc/PID/stat).
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace ramjet::monitor {

struct process_usage {
  bool lives = false;  // all else is known
  std::uint64_t started_ticks = 0;  // since the machine's start: with the pid it names a process
  std::uint64_t cpu_ns = 0;  // user and system time of all threads
  std::uint64_t resident_bytes = 0;  // what it shares with others is counted for each
  unsigned threads = 0;
  char state = '?';  // 'R', 'S', 'T', ...
};

// One that has ended and that nobody has waited for lives no more.
process_usage read_usage(pid_t pid);

}  // namespace ramjet::monitor
