// SPDX-License-Identifier: Apache-2.0
// Standard input goes to rank 0 as it is; the other ranks read nothing. The launcher reads none of
// it, so what is typed while no rank reads is left for whoever reads the terminal next.
//
// The controlling terminal belongs to one process group at a time, the launcher's at first. The
// kernel stops rank 0 (SIGTTIN, SIGTTOU) when it reads the terminal or sets its modes. The launcher
// then lends the terminal to rank 0's group, and takes it back when the job stops or ends:
//
//   kept --(rank 0 wants it, and the launcher has it)--> lent --(the job stops or ends)--> kept
//
// A process of the launcher's in rank 0's group, the key watch, gets the signals that the kernel
// sends to that group (Ctrl-C, Ctrl-Z, SIGTTIN) and passes them on to the launcher.
//
// Threads: the launcher's one.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <cstdint>

#include "launch/problem.hpp"

namespace ramjet::launcher {

class rank_input {
 public:
  rank_input() = default;
  ~rank_input();
  rank_input(const rank_input&) = delete;
  rank_input& operator=(const rank_input&) = delete;

  // forward == false: rank 0 reads nothing, like all others.
  problem open(bool forward);

  int for_rank(unsigned rank) const { return rank == 0 ? for_rank_0_ : nothing_; }
  // Whether it is a terminal that can be lent.
  bool is_terminal() const { return is_terminal_; }
  // To be called once rank 0 runs, with its process group.
  problem watch_keys(pid_t group);
  void ranks_started();  // closes what only they need

  bool is_lent() const { return is_lent_; }
  pid_t key_watch() const { return key_watch_; }  // 0: none

  // Lends the terminal if the launcher has it, and lets rank 0 go on. False where another job of
  // the shell has it: rank 0 stays stopped, and retry_ns() says when to try again.
  bool lend();
  void take_back();
  std::uint64_t retry_ns() const { return retry_ns_; }  // CLOCK_MONOTONIC; 0: never

 private:
  bool is_launchers() const;  // the terminal

  int nothing_ = -1;  // /dev/null
  int for_rank_0_ = -1;  // nothing_, or standard input
  bool is_terminal_ = false;
  bool is_lent_ = false;
  pid_t group_ = 0;  // of rank 0
  pid_t key_watch_ = 0;
  termios modes_{};  // as they were at the start
  std::uint64_t retry_ns_ = 0;
};

}  // namespace ramjet::launcher
