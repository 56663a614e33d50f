// SPDX-License-Identifier: Apache-2.0
// The launcher's signals as events: while this lives they are blocked and come through a
// descriptor, so that no handler ever runs between two steps.
//
// Threads: created in the launcher's thread; other threads of the process must not take these
// signals (they inherit the mask if they start later).
#pragma once

#include <sys/signalfd.h>

#include <csignal>

#include "launch/problem.hpp"

namespace ramjet::launcher {

class signal_watch {
 public:
  signal_watch() = default;
  ~signal_watch();
  signal_watch(const signal_watch&) = delete;
  signal_watch& operator=(const signal_watch&) = delete;

  // Takes the signals that end the job, those that are passed on to the ranks (SIGUSR2), and
  // SIGTSTP, unless the launcher was told to ignore them; also SIGCHLD, SIGUSR1, SIGCONT, and the
  // SIGTTIN and SIGTTOU of the key watch. SIGPIPE and SIGXFSZ become errors of the calls that would
  // have raised them.
  problem start();

  int descriptor() const { return fd_; }
  bool next(signalfd_siginfo& out) const;  // false: none pending

  // Does as SIGTSTP or SIGSTOP would if it were not taken: returns when the process is continued,
  // and with SIGTSTP at once where nobody could continue it (its group has no shell that would).
  void stop(int signal) const;

  // Undoes start(). Async-signal-safe: ranks call it before exec.
  void restore() const;

 private:
  int fd_ = -1;
  sigset_t mask_before_{};
  struct sigaction pipe_before_{}, file_size_before_{}, child_before_{};
};

}  // namespace ramjet::launcher
