// SPDX-License-Identifier: Apache-2.0
#include "monitor/usage.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace ramjet::monitor {

process_usage read_usage(pid_t pid) {
  char path[32], line[1024];
  if (pid <= 0) return {};
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t got = ::read(fd, line, sizeof line - 1);
  ::close(fd);
  if (got <= 0) return {};
  line[got] = '\0';
  const char* after = std::strrchr(line, ')');  // the command may hold anything, even ')'
  process_usage usage;
  std::uint64_t user = 0, system = 0, pages = 0;
  if (after == nullptr ||
      std::sscanf(after + 1,
                  " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
                  " %*d %*d %*d %*d %u %*d %" SCNu64 " %*u %" SCNu64,
                  &usage.state, &user, &system, &usage.threads, &usage.started_ticks, &pages) != 6)
    return {};
  usage.lives = usage.state != 'Z' && usage.state != 'X';
  usage.cpu_ns = (user + system) * (1'000'000'000 / std::uint64_t(::sysconf(_SC_CLK_TCK)));
  usage.resident_bytes = pages * std::uint64_t(::sysconf(_SC_PAGESIZE));
  return usage;
}

}  // namespace ramjet::monitor
