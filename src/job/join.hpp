// SPDX-License-Identifier: Apache-2.0
// A rank's side of a job: finding the board, mapping the shared object, meeting the others.
// One per process; set by join(), read by every layer above.
#pragma once

#include <string>
#include <vector>

#include "base/settings.hpp"
#include "node/board.hpp"
#include "ramjet/status.hpp"

namespace ramjet::job {

// What this process knows of its job. Constant between join and leave.
struct membership {
  int rank = 0;
  unsigned ranks = 1;
  bool launched = false;       // a launcher watches over us
  bool carry_on = false;       // --on-failure=continue
  bool barrier_ok = false;     // base::global_barrier works in every rank
  bool oversubscribed = false; // more ranks than usable processors on this machine
  bool crowded = false;        // on some machine of the job: the same on every rank
  board* shared = nullptr;     // [0, layout.segments_offset) of this machine's object
  geometry layout{};
  base::settings settings{};
  unsigned node = 0;           // of this rank
  unsigned nodes = 1;          // machines of the job
  // The machine of each rank, numbered from 0 in the order of their lowest ranks; empty before
  // join.
  std::vector<std::uint16_t> node_of;
  // What open_networks gave in each rank; empty in a job on one machine.
  std::vector<std::string> network_cards;

  // Whether this rank and the other share memory.
  bool near(unsigned other) const { return nodes == 1 || node_of[other] == node; }

  std::byte* at(std::uint64_t offset) const {
    return reinterpret_cast<std::byte*>(shared) + offset;
  }
  rank_line& line(unsigned rank_index) const { return rank_lines(shared)[rank_index]; }
};

// The job of this process; ranks == 1 and shared == nullptr before join.
membership& self() noexcept;

struct join_request {
  unsigned endpoints;
  std::size_t segment_bytes;    // 0: from the machine
  std::uint64_t handler_hash;
  std::uint64_t build_hash;
  // Opens the networks to other machines; `card` is what other ranks need to reach this one. Called
  // where there are such ranks, once the layout is known.
  status (*open_networks)(std::string& card, std::string& message) = nullptr;
};

// Finds the job in the environment, maps it, and waits until every rank has joined with the same
// handlers. On failure `message` holds one sentence that says what to do.
status join(const join_request& request, std::string& message);

// Whether a rank has left the job by finalize: it answers no more.
bool has_left(unsigned rank) noexcept;
// The same, or it is dead.
bool is_gone(unsigned rank) noexcept;
bool port_is_gone(unsigned port) noexcept;  // of its rank

// Ends the whole job, this rank with it, through the launcher that started it; `why` is for the
// launcher's report. Any thread.
[[noreturn]] void abort_job(int exit_status, const char* why);

// Ends the whole job, this rank with it, with this status (0 to 255), through the launcher that
// started it. Any thread.
[[noreturn]] void end_job(int exit_status);

// What a death means where no launcher of ours watches: nothing under --on-failure=continue, else
// the end of the job. `first`: nobody on this machine knew of it. Any thread.
void follow_death(unsigned rank, bool first);

// Marks this rank as gone and unmaps everything.
void leave();

}  // namespace ramjet::job
