// SPDX-License-Identifier: Apache-2.0
#include "launch/guardian.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <type_traits>
#include <vector>

#include "launch/processes.hpp"

namespace ramjet::launcher {
namespace {

[[noreturn]] void guard(int pipe) {
  ::setsid();
  ::prctl(PR_SET_NAME, "job-guard");
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  close_all_but(pipe);
  std::vector<guardian::announcement> ranks;
  for (;;) {
    guardian::announcement some[32];
    const ssize_t got = ::read(0, some, sizeof some);  // one is written whole: PIPE_BUF
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (some[std::size_t(got) / sizeof *some - 1].pid == 0) ::_exit(0);  // stop()
    ranks.insert(ranks.end(), some, some + std::size_t(got) / sizeof *some);
  }
  std::vector<file_mark> files;
  for (const guardian::announcement& rank : ranks) {
    ::kill(-rank.pid, SIGKILL);
    for (const file_mark& file : {rank.memory, rank.out, rank.err})
      if (file != file_mark{}) files.push_back(file);
  }
  if (!ranks.empty()) kill_marked(ranks.front().secret, files);
  ::_exit(0);
}

}  // namespace

problem guardian::start() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return out_of_files("make a pipe");
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

// By a word, not by a signal: a filter of system calls may refuse kill.
void guardian::stop() {
  if (pid_ < 0) return;
  announce(pipe_, {});
  ::close(pipe_);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = pipe_ = -1;
}

void guardian::announce(int pipe, const announcement& rank) {
  static_assert(sizeof rank <= PIPE_BUF && std::is_trivially_copyable_v<announcement>);
  while (::write(pipe, &rank, sizeof rank) < 0 && errno == EINTR) {
  }
}

}  // namespace ramjet::launcher
