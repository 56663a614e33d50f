// SPDX-License-Identifier: Apache-2.0
#include "report/process_info.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace ramjet::report {

const char* read_stat(pid_t pid, std::span<char> line) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return nullptr;
  const ssize_t got = ::read(fd, line.data(), line.size() - 1);
  ::close(fd);
  if (got <= 0) return nullptr;
  line[std::size_t(got)] = '\0';
  const char* end = std::strrchr(line.data(), ')');
  return end == nullptr ? nullptr : end + 1;
}

process_info read_process(pid_t pid) {
  char line[512];
  const char* fields = read_stat(pid, line);
  process_info info;
  if (fields == nullptr || std::sscanf(fields, " %c %d", &info.state, &info.parent) != 2) return {};
  return info;
}

}  // namespace ramjet::report
