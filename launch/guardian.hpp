// SPDX-License-Identifier: Apache-2.0
// The process that outlives a launcher killed with -9 just long enough to end what it started.
//
// It sleeps on a pipe whose write end belongs to the launcher. Every rank writes its process id
// there before exec, so no program runs that the guardian does not know. End of file
// means that the launcher is gone: then the ranks' process groups are killed, and every process
// that carries the job's secret in its environment, or has the job's memory or a rank's output
// open.
//
// Threads: one launcher thread; the guardian is a process of its own and shares nothing else.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "launch/problem.hpp"
#include "launch/processes.hpp"

namespace ramjet::launcher {

class guardian {
 public:
  guardian() = default;
  ~guardian() { stop(); }
  guardian(const guardian&) = delete;
  guardian& operator=(const guardian&) = delete;

  problem start();
  // Close-on-exec; a rank puts itself under protection by announce(pipe).
  int pipe() const { return pipe_; }
  // Ends the guardian. The job's processes must be gone.
  void stop();

  // What the guardian knows a rank by. Process 0: the job is over, and the guardian is to end.
  struct announcement {
    std::uint64_t secret;
    pid_t pid;
    file_mark memory, out, err;
  };
  // In a rank before exec: async-signal-safe.
  static void announce(int pipe, const announcement& rank);

 private:
  pid_t pid_ = -1;
  int pipe_ = -1;
};

}  // namespace ramjet::launcher
