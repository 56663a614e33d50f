// SPDX-License-Identifier: Apache-2.0
// Standard input goes to rank 0. A file or pipe is handed over as it is. A terminal is not: rank 0
// is in no foreground group, so the launcher reads for it and passes on through a pipe.
//
// Threads: the launcher's one.
#pragma once

#include <cstdint>
#include <string>

#include "launcher/problem.hpp"

namespace ramjet::launcher {

class input_relay {
 public:
  input_relay() = default;
  ~input_relay();
  input_relay(const input_relay&) = delete;
  input_relay& operator=(const input_relay&) = delete;

  // forward == false: rank 0 reads nothing, like all others.
  problem open(bool forward);

  int for_rank(unsigned rank) const { return rank == 0 ? for_rank_0_ : nothing_; }
  void ranks_started();  // closes what only they need

  // What to watch now: a descriptor, -1 for none, and whether for room (else for input).
  int watched() const;
  bool wants_room() const { return !pending_.empty(); }
  // Moves what can be moved.
  void pump();
  // Not 0 while the launcher is in the background and so may not read: pump again by then.
  std::uint64_t retry_ns() const { return retry_ns_; }

 private:
  void end();

  int nothing_ = -1;  // /dev/null
  int for_rank_0_ = -1;  // nothing_, standard input, or the pipe's read end
  int pipe_ = -1;  // write end while a terminal is relayed
  std::string pending_;
  std::uint64_t retry_ns_ = 0;
};

}  // namespace ramjet::launcher
