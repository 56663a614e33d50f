// SPDX-License-Identifier: Apache-2.0
// Threads of the library's own take no signals: those are for the program's.
#pragma once

#include <pthread.h>

#include <csignal>

namespace ramjet::base {

// While it lives the calling thread, and every thread that it starts, has all signals blocked.
class signals_blocked {
 public:
  signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace ramjet::base
