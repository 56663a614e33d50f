// SPDX-License-Identifier: Apache-2.0
#include "report/process_look.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace ramjet::report {

process_look look_at_process(pid_t pid) {
  char path[32], line[512];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t got = ::read(fd, line, sizeof line - 1);
  ::close(fd);
  if (got <= 0) return {};
  line[got] = '\0';
  // pid (command) state parent ...; the command may hold anything, even ')'.
  const char* after = std::strrchr(line, ')');
  process_look look;
  if (after == nullptr || std::sscanf(after + 1, " %c %d", &look.state, &look.parent) != 2)
    return {};
  return look;
}

}  // namespace ramjet::report
