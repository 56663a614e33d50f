// SPDX-License-Identifier: Apache-2.0
#include "launch/signals.hpp"

#include <unistd.h>

#include <ctime>

namespace ramjet::launcher {

problem signal_watch::start() {
  sigset_t taken;
  ::sigemptyset(&taken);
  for (int signal : {SIGCHLD, SIGUSR1, SIGCONT, SIGTTIN, SIGTTOU}) ::sigaddset(&taken, signal);
  for (int signal :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGPWR, SIGUSR2, SIGTSTP}) {
    struct sigaction now{};
    ::sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) ::sigaddset(&taken, signal);  // nohup, or `&` of a script
  }
  struct sigaction ignore{}, standard{};
  ignore.sa_handler = SIG_IGN;
  standard.sa_handler = SIG_DFL;
  ::sigaction(SIGPIPE, &ignore, &pipe_before_);
  ::sigaction(SIGXFSZ, &ignore, &file_size_before_);
  ::sigaction(SIGCHLD, &standard, &child_before_);  // an inherited SIG_IGN would lose exit statuses
  ::sigprocmask(SIG_BLOCK, &taken, &mask_before_);
  fd_ = ::signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd_ >= 0) return {};
  problem refused = out_of_files("watch signals (signalfd)");
  restore();
  return refused;
}

signal_watch::~signal_watch() {
  if (fd_ < 0) return;
  signalfd_siginfo late;  // a second Ctrl-C must not end us once the mask is back
  while (next(late)) {
  }
  ::close(fd_);
  restore();
}

bool signal_watch::next(signalfd_siginfo& out) const {
  return ::read(fd_, &out, sizeof out) == ssize_t(sizeof out);
}

void signal_watch::stop(int signal) const {
  sigset_t stopping, before;
  ::sigemptyset(&stopping);
  ::sigaddset(&stopping, signal);
  ::raise(signal);
  ::sigprocmask(SIG_UNBLOCK, &stopping, &before);  // here it stops
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  sigset_t continued;
  ::sigemptyset(&continued);
  ::sigaddset(&continued, SIGCONT);
  const timespec at_once{};
  ::sigtimedwait(&continued, nullptr, &at_once);  // the caller lets the job go on
}

void signal_watch::restore() const {
  ::sigaction(SIGPIPE, &pipe_before_, nullptr);
  ::sigaction(SIGXFSZ, &file_size_before_, nullptr);
  ::sigaction(SIGCHLD, &child_before_, nullptr);
  ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

}  // namespace ramjet::launcher
