// SPDX-License-Identifier: Apache-2.0
// The process that outlives a launcher killed with -9 just long enough to end what it started.
//
// It sleeps on a pipe whose write end belongs to the launcher. Every rank writes its process id
// there between fork and exec, so no program runs that the guardian does not know. End of file means
// that the launcher is gone: then every process in the session of a rank is killed.
//
// Threads: one launcher thread; the guardian is a process of its own and shares nothing else.
#pragma once

#include <sys/types.h>

#include <vector>

#include "job/problem.hpp"

namespace ramjet::job {

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

  // In a forked rank: async-signal-safe.
  static void announce(int pipe, pid_t pid);

 private:
  pid_t pid_ = -1;
  int pipe_ = -1;
};

// Kills every process that belongs to the session of one of these leaders, and those that they start
// meanwhile. Sees process groups that a wrapper made for itself, as timeout(1) does.
void kill_sessions(const std::vector<pid_t>& leaders);

// The session and state letter ('R', 'S', 'T', ...) of a process; session -1 if it is gone.
struct process_look {
  pid_t session = -1;
  char state = '?';
};
process_look look_at_process(pid_t pid);

}  // namespace ramjet::job
