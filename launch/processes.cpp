// SPDX-License-Identifier: Apache-2.0
#include "launch/processes.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "job/bootstrap/variables.hpp"
#include "node/board.hpp"

namespace ramjet::launcher {
namespace {

// What is killed may wait for a core for seconds, and what it has started lives till then; what
// cannot be killed now, in the kernel's hands, is left to it.
constexpr std::uint64_t kPatienceNs = 5'000'000'000;

// Calls kill_some(), a round each millisecond, until none is left: each round catches what was
// started, or orphaned, by the one before.
template <class Round>
void until_none_is_left(Round&& kill_some) {
  const std::uint64_t end_ns = base::now_ns() + kPatienceNs;
  while (kill_some() && base::now_ns() < end_ns) ::usleep(1000);
}

// Calls visit(pid) for every process.
template <class Visit>
void for_each_process(Visit&& visit) {
  DIR* proc = ::opendir("/proc");
  if (proc == nullptr) return;
  while (const dirent* entry = ::readdir(proc)) {
    if (const pid_t pid = std::atoi(entry->d_name); pid > 0) visit(pid);
  }
  ::closedir(proc);
}

// Whether the process was started with `pair` ("K=V") in its environment.
bool has_in_environment(pid_t pid, const std::string& pair) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/environ");
  for (std::string each; std::getline(file, each, '\0');)
    if (each == pair) return true;
  return false;
}

// Whether the process has one of the files open for writing. One that only reads is not part of the
// job: it looks at the job's memory.
bool has_open(pid_t pid, const std::vector<file_mark>& files) {
  DIR* folder =
      files.empty() ? nullptr : ::opendir(("/proc/" + std::to_string(pid) + "/fd").c_str());
  if (folder == nullptr) return false;
  bool found = false;
  while (const dirent* entry = found ? nullptr : ::readdir(folder)) {
    struct stat about{}, link{};
    if (::fstatat(::dirfd(folder), entry->d_name, &link, AT_SYMLINK_NOFOLLOW) != 0 ||
        (link.st_mode & S_IWUSR) == 0 || ::fstatat(::dirfd(folder), entry->d_name, &about, 0) != 0)
      continue;
    found =
        std::find(files.begin(), files.end(), file_mark{about.st_dev, about.st_ino}) != files.end();
  }
  ::closedir(folder);
  return found;
}

bool is_living_descendant(pid_t pid) {
  report::process_info info = report::read_process(pid);
  if (!info.is_alive()) return false;
  const pid_t self = ::getpid();
  while (info.parent > 1 && info.parent != self) info = report::read_process(info.parent);
  return info.parent == self;
}

std::string children_path() {
  const std::string self = std::to_string(::getpid());
  return "/proc/" + self + "/task/" + self + "/children";
}

std::vector<pid_t> children_except(std::vector<pid_t> known) {
  std::sort(known.begin(), known.end());
  std::vector<pid_t> others = children();
  std::erase_if(
      others, [&known](pid_t pid) { return std::binary_search(known.begin(), known.end(), pid); });
  return others;
}

// The number by which a process knows itself, in the innermost of its namespaces.
pid_t innermost_number(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("NSpid:")) continue;
    return std::atoi(line.c_str() + line.find_last_of(" \t"));
  }
  return pid;
}

}  // namespace

pid_t find_descendant(pid_t pid) {
  if (is_living_descendant(pid)) return pid;
  pid_t found = 0;
  for_each_process([&](pid_t each) {
    if (found == 0 && innermost_number(each) == pid && is_living_descendant(each)) found = each;
  });
  return found;
}

bool catches_signal(pid_t pid, int signal) {
  constexpr std::string_view kCaught = "SigCgt:";
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kCaught)) continue;
    const std::uint64_t caught = std::strtoull(line.c_str() + kCaught.size(), nullptr, 16);
    return (caught >> (signal - 1) & 1) != 0;
  }
  return false;
}

void close_all_but(int kept) {
  const int first = kept >= 0 && ::dup2(kept, 0) == 0 ? 1 : 0;
  if (::close_range(unsigned(first), ~0u, 0) == 0) return;
  const long limit = ::sysconf(_SC_OPEN_MAX);
  for (int fd = first; fd < limit; ++fd) ::close(fd);
}

file_mark mark_of(int descriptor) {
  struct stat about{};
  if (::fstat(descriptor, &about) != 0) return {};
  return {about.st_dev, about.st_ino};
}

void kill_marked(std::uint64_t secret, const std::vector<file_mark>& files) {
  const pid_t self = ::getpid();
  const std::string mark = job::secret_variable(secret);
  int quiet = 0;
  until_none_is_left([&] {
    ++quiet;
    for_each_process([&](pid_t pid) {
      if (pid == self || !(has_in_environment(pid, mark) || has_open(pid, files)) ||
          !report::read_process(pid).is_alive())
        return;
      quiet = 0;
      ::kill(pid, SIGKILL);
    });
    return quiet < 2;  // what just becomes another program has no environment for a moment
  });
}

std::vector<pid_t> children() {
  std::ifstream list(children_path());
  std::vector<pid_t> found;
  for (pid_t pid; list >> pid;) found.push_back(pid);
  return found;
}

void reap_children_except(const std::vector<pid_t>& known) {
  for (pid_t pid : children_except(known)) ::waitpid(pid, nullptr, WNOHANG);
}

void end_orphans(const std::vector<pid_t>& known, std::uint64_t secret) {
  if (::access(children_path().c_str(), R_OK) != 0) return kill_marked(secret, {});
  until_none_is_left([&] {
    const std::vector<pid_t> orphans = children_except(known);
    for (pid_t pid : orphans) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, WNOHANG);
    }
    return !orphans.empty();
  });
}

}  // namespace ramjet::launcher
