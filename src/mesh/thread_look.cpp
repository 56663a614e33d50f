// SPDX-License-Identifier: Apache-2.0
#include "mesh/thread_look.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace ramjet::mesh {

namespace {

// The beginning of a small file; empty if it cannot be read.
std::string read_start(const char* path) {
  char bytes[512];
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t got = ::read(fd, bytes, sizeof bytes);
  ::close(fd);
  return got > 0 ? std::string(bytes, std::size_t(got)) : std::string();
}

std::string read_of_thread(std::uint32_t thread, const char* file) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%u/task/%u/%s", thread, thread, file);
  return read_start(path);
}

}  // namespace

std::uint64_t this_machine() {
  struct stat space;
  const std::string boot = read_start("/proc/sys/kernel/random/boot_id");
  if (boot.empty() || ::stat("/proc/self/ns/pid", &space) != 0) return 0;
  const std::string both = boot + std::to_string(space.st_dev) + ' ' + std::to_string(space.st_ino);
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a: the same in every build
  for (const char c : both) hash = (hash ^ std::uint8_t(c)) * 1099511628211u;
  return hash;
}

std::uint32_t this_thread() { return std::uint32_t(::syscall(SYS_gettid)); }

// stat is "NUMBER (NAME) STATE ...", and the name may contain anything; schedstat is "TIME_RUN
// TIME_WAITED TURNS".
bool look_at(std::uint32_t thread, thread_look& into) {
  const std::string stat = read_of_thread(thread, "stat");
  const std::size_t name_end = stat.rfind(')');
  if (name_end == stat.npos || name_end + 2 >= stat.size()) return false;
  const char state = stat[name_end + 2];
  unsigned long long turns = 0;
  if (std::sscanf(read_of_thread(thread, "schedstat").c_str(), "%*u %*u %llu", &turns) != 1)
    return false;
  into = {state == 'R' || state == 'D', turns};
  return true;
}

bool starvation_watch::is_starved(std::uint32_t thread) {
  thread_look now;
  const bool is_shown = thread != 0 && look_at(thread, now);
  const bool is_starved = is_shown && thread == thread_ && last_.wants_processor &&
                          now.wants_processor && now.turns == last_.turns;
  thread_ = is_shown ? thread : 0;
  last_ = now;
  return is_starved;
}

}  // namespace ramjet::mesh
