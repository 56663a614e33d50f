// SPDX-License-Identifier: Apache-2.0
// How a process learns which rank of which job it is, and how the ranks exchange what they need to
// know of each other before the first message: through the memory that `ramjet run` hands down, or
// through the launcher of the system (PMIx). (SCALE Suite 1997, section 3: wire-up of endpoints.)
//
// Threads: the one that calls join. Every call may block; a job that cannot start is an error
// within the launcher's or the settings' time-out, never a hang.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "node/board.hpp"
#include "ramjet/status.hpp"

namespace ramjet::job {

using namespace ramjet::node;

// What only the processes of a job know. Peers on a network prove that they know it, both ways.
using job_key = std::array<std::uint8_t, 32>;

struct identity {
  int rank = 0;
  unsigned ranks = 1;
  // The machine of each rank: numbered from 0 in the order of their lowest ranks.
  std::vector<std::uint16_t> node_of;
  // A launcher of ours watches the ranks of this machine and writes deaths on its board.
  bool launched = false;
};

class bootstrap {
 public:
  bootstrap() = default;
  bootstrap(const bootstrap&) = delete;
  bootstrap& operator=(const bootstrap&) = delete;
  virtual ~bootstrap() = default;

  // Of the launcher, for messages.
  virtual const char* name() const noexcept = 0;
  virtual status find_identity(identity& into, std::string& message) = 0;
  // The memory object that the ranks of this machine share, with a formatted board; the caller
  // closes it.
  virtual status open_object(int& descriptor, std::string& message) = 0;
  // Collective over all ranks of the job: hands over `mine` (up to a few KiB) and returns what each
  // rank brought, by rank. Calls are matched by their order.
  virtual status exchange(const std::string& mine, std::vector<std::string>& all,
                          std::string& message) = 0;
  // The same on every rank. Not before the first exchange.
  virtual status key(job_key& into, std::string& message) = 0;
  // A rank that has died while the job starts, as far as the launcher has said by now; -1: none.
  // `ramjet run` says so here from the first exchange on, and before on the board of each machine.
  virtual int dead_rank() { return -1; }
  // Says good-bye to the launcher: this rank has left the job in order. `shared` is this node's.
  virtual void leave(board& shared) { static_cast<void>(shared); }
  // Makes the launcher end the whole job; returns if it cannot be reached, or will do so anyway.
  // Any thread.
  virtual void abort(int exit_status, const char* why) {
    static_cast<void>(exit_status);
    static_cast<void>(why);
  }
};

}  // namespace ramjet::job
