// SPDX-License-Identifier: Apache-2.0
#include "launch/monitor/usage.hpp"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>

#include "report/process_info.hpp"

namespace ramjet::monitor {

process_usage read_usage(pid_t pid) {
  if (pid <= 0) return {};
  char line[1024];
  const char* fields = report::read_stat(pid, line);
  process_usage usage;
  std::uint64_t user = 0, system = 0, pages = 0;
  if (fields == nullptr ||
      std::sscanf(fields,
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
