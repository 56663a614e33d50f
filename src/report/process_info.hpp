// SPDX-License-Identifier: Apache-2.0
// What /proc says of a process.
#pragma once

#include <sys/types.h>

#include <span>

namespace ramjet::report {

// Parent and state letter ('R', 'S', 'T', ...) of a process; -1 if it is gone.
struct process_info {
  pid_t parent = -1;
  char state = '?';

  bool is_alive() const { return parent != -1 && state != 'Z' && state != 'X'; }
};
process_info read_process(pid_t pid);

// What to do where a process cannot be watched (pidfd_open), by its errno.
const char* watch_remedy(int error) noexcept;

// Reads /proc/PID/stat into `line`. Returns what stands behind the command, which may hold
// anything: the state, the parent and so on; null if the process is gone.
const char* read_stat(pid_t pid, std::span<char> line);

}  // namespace ramjet::report
