// SPDX-License-Identifier: Apache-2.0
#include "job/guardian.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ramjet::job {
namespace {

// Leaves only `kept` open: the guardian must not hold somebody's pipe or terminal.
void close_all_but(int kept) {
  const int low = ::dup2(kept, 0);
  if (::close_range(1, ~0u, 0) == 0 || low < 0) return;
  const long limit = ::sysconf(_SC_OPEN_MAX);
  for (int fd = 1; fd < limit; ++fd) ::close(fd);
}

[[noreturn]] void guard(int pipe) {
  ::setsid();
  ::prctl(PR_SET_NAME, "job-guard");
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  close_all_but(pipe);
  std::vector<pid_t> leaders;
  for (;;) {
    pid_t pids[64];
    const ssize_t got = ::read(0, pids, sizeof pids);  // writes of one pid are whole: PIPE_BUF
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    leaders.insert(leaders.end(), pids, pids + std::size_t(got) / sizeof *pids);
  }
  for (pid_t leader : leaders) ::kill(-leader, SIGKILL);
  kill_sessions(leaders);
  ::_exit(0);
}

std::vector<pid_t> members_of_sessions(const std::vector<pid_t>& sorted_leaders) {
  std::vector<pid_t> members;
  DIR* proc = ::opendir("/proc");
  if (proc == nullptr) return members;
  while (const dirent* entry = ::readdir(proc)) {
    const pid_t pid = std::atoi(entry->d_name);
    if (pid <= 0) continue;
    const process_look look = look_at_process(pid);
    if (look.state == 'Z' || look.state == 'X') continue;
    if (std::binary_search(sorted_leaders.begin(), sorted_leaders.end(), look.session)) {
      members.push_back(pid);
    }
  }
  ::closedir(proc);
  return members;
}

}  // namespace

problem guardian::start() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return {1, text("cannot make a pipe: %s; raise the limit of open files (ulimit -n)",
                    errno_text(errno).c_str())};
  }
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[1]);
    guard(ends[0]);
  }
  const int error = errno;
  ::close(ends[0]);
  if (pid < 0) {
    ::close(ends[1]);
    return {1, text("cannot start a process: %s; see the limit of processes (ulimit -u)",
                    errno_text(error).c_str())};
  }
  pid_ = pid;
  pipe_ = ends[1];
  return {};
}

void guardian::stop() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  ::close(pipe_);
  pid_ = pipe_ = -1;
}

void guardian::announce(int pipe, pid_t pid) {
  while (::write(pipe, &pid, sizeof pid) < 0 && errno == EINTR) {
  }
}

process_look look_at_process(pid_t pid) {
  char path[32], line[512];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t got = ::read(fd, line, sizeof line - 1);
  ::close(fd);
  if (got <= 0) return {};
  line[got] = '\0';
  // pid (command) state parent group session ...; the command may hold anything, even ')'.
  const char* after = std::strrchr(line, ')');
  process_look look;
  int parent = 0, group = 0;
  if (after == nullptr || std::sscanf(after + 1, " %c %d %d %d", &look.state, &parent, &group,
                                      &look.session) != 4) {
    return {};
  }
  return look;
}

void kill_sessions(const std::vector<pid_t>& leaders) {
  std::vector<pid_t> sorted = leaders;
  std::sort(sorted.begin(), sorted.end());
  constexpr int kRoundsMax = 16;  // each round catches what was forked during the one before
  for (int round = 0; round < kRoundsMax; ++round) {
    const std::vector<pid_t> members = members_of_sessions(sorted);
    if (members.empty()) return;
    for (pid_t pid : members) ::kill(pid, SIGKILL);
    ::usleep(1000);
  }
}

}  // namespace ramjet::job
