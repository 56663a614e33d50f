// SPDX-License-Identifier: Apache-2.0
#include "launch/input.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/clock.hpp"
#include "launch/processes.hpp"

namespace ramjet::launcher {
namespace {

constexpr int kKeys[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU};

[[noreturn]] void pass_keys_on(pid_t launcher, pid_t group) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launcher) ::_exit(1);
  ::prctl(PR_SET_NAME, "job-keys");
  ::setpgid(0, group);
  close_all_but(-1);
  sigset_t keys;
  ::sigemptyset(&keys);
  for (const int key : kKeys) ::sigaddset(&keys, key);
  for (;;) {
    if (const int key = ::sigwaitinfo(&keys, nullptr); key > 0) ::kill(launcher, key);
  }
}

}  // namespace

rank_input::~rank_input() {
  ranks_started();
  take_back();
}

problem rank_input::open(bool forward) {
  nothing_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing_ < 0) return out_of_files("open /dev/null");
  for_rank_0_ = forward ? STDIN_FILENO : nothing_;
  // Only the controlling terminal has a foreground group. Another one is read like any file.
  is_terminal_ = forward && ::tcgetpgrp(STDIN_FILENO) >= 0;
  if (is_terminal_) ::tcgetattr(STDIN_FILENO, &modes_);
  return {};
}

problem rank_input::watch_keys(pid_t group) {
  group_ = group;
  if (!is_terminal_) return {};
  const pid_t launcher = ::getpid();
  sigset_t all, before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) pass_keys_on(launcher, group);
  const int error = errno;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0)
    return {1, text("cannot start a process: %s; see the limit of processes (ulimit -u)",
                    errno_text(error).c_str())};
  ::setpgid(pid, group);
  key_watch_ = pid;
  return {};
}

void rank_input::ranks_started() {
  if (nothing_ >= 0) ::close(nothing_);
  for_rank_0_ = nothing_ = -1;
}

bool rank_input::is_launchers() const { return ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

bool rank_input::lend() {
  constexpr std::uint64_t kPauseNs = 200'000'000;
  retry_ns_ = 0;
  if (!is_terminal_ || group_ == 0) return false;
  if (is_launchers() && ::tcsetpgrp(STDIN_FILENO, group_) == 0) is_lent_ = true;
  if (!is_lent_) {
    retry_ns_ = base::now_ns() + kPauseNs;
    return false;
  }
  ::kill(-group_, SIGCONT);
  return true;
}

// SIGTTOU is blocked in the launcher, so it may do this while another group has the terminal. A
// shell that has taken the terminal keeps it.
void rank_input::take_back() {
  retry_ns_ = 0;
  if (!is_lent_) return;
  is_lent_ = false;
  const pid_t owner = ::tcgetpgrp(STDIN_FILENO);
  const bool is_left = owner > 0 && ::kill(-owner, 0) != 0 && errno == ESRCH;
  if (owner != group_ && !is_left) return;
  ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &modes_);
}

}  // namespace ramjet::launcher
