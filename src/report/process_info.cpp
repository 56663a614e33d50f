// SPDX-License-Identifier: Apache-2.0
#include "report/process_info.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace ramjet::report {

process_info read_process(pid_t pid) {
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
  process_info info;
  if (after == nullptr || std::sscanf(after + 1, " %c %d", &info.state, &info.parent) != 2)
    return {};
  return info;
}

}  // namespace ramjet::report
