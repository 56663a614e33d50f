// SPDX-License-Identifier: Apache-2.0
#include "report/process_info.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
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

const char* watch_remedy(int error) noexcept {
  switch (error) {
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    case ENOSYS:
    case EPERM:
      return "the kernel or a sandbox refuses pidfd_open: use Linux 5.3 or later and allow it";
    default:
      return "see `ramjet info` for the limits of this environment";
  }
}

}  // namespace ramjet::report
