// SPDX-License-Identifier: Apache-2.0
// A rank's side of a job: finding the board, mapping the shared object, meeting the others.
// One per process; set by join(), read by every layer above.
#pragma once

#include <string>
#include <vector>

#include "base/settings.hpp"
#include "job/bootstrap/bootstrap.hpp"
#include "node/board.hpp"
#include "node/program_part.hpp"
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
  board* shared = nullptr;     // [0, layout.segments_offset) of this node's object
  geometry layout{};
  program_part program{};
  base::settings settings{};
  base::machine_profile first_profile{};  // what rank 0 has read, where there are several nodes
  std::uint64_t first_profile_problem = 0;  // a hash of what rank 0 has said of it
  unsigned node = 0;           // of this rank
  unsigned nodes = 1;          // machines of the job
  // The machine of each rank, numbered from 0 in the order of their lowest ranks; empty before
  // join.
  std::vector<std::uint16_t> node_of;

  // Whether this rank and the other share memory.
  bool near(unsigned other) const { return nodes == 1 || node_of[other] == node; }
  rank_line& line(unsigned rank_index) const { return rank_lines(shared)[rank_index]; }
};

// The job of this process; ranks == 1 and shared == nullptr before join.
const membership& self() noexcept;

// For tests alone, between join and leave or with no job at all.
membership& self_for_tests() noexcept;  // a job that a test plays
// As if there were a core for each rank, or too few: on this rank; the caller gives all the same.
// Endpoints that are open keep the waits that they have; collectives choose their ways by it.
void set_oversubscribed_for_tests(bool oversubscribed) noexcept;

struct join_request {
  unsigned endpoints;
  std::size_t segment_bytes;    // 0: from the machine
  std::uint64_t handler_hash;
  std::uint64_t build_hash;
  std::uint64_t stack_bytes = 0;  // of a stack in the segment, its guard included
};

// Finds the job in the environment, maps its memory here, and waits until every rank of this node
// has joined with the same handlers and regions; those of other nodes have them too, and are not
// connected yet. On failure `message` holds one sentence that says what to do.
status join(const join_request& request, std::string& message);
// What follows join and fails is undone before this, which leaves the process as a rank that has
// not joined. Nothing if the process is in no job.
void abandon() noexcept;

// For what watches over this node's ranks, and connects them to others, after join:
// the descriptor of the node's memory object, once; the caller closes it.
int take_object() noexcept;
// bootstrap::exchange and ::key, of the bootstrap that found the job.
status exchange(const std::string& mine, std::vector<std::string>& all, std::string& message);
status key(job_key& into, std::string& message);
// A rank that has died while the job starts, as far as the launcher has said by now; -1: none.
int dead_rank();

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

// What follow_death does before all else, in a job that it may end; null: nothing. Set while no
// other thread calls that.
void call_at_death(void (*what)(unsigned rank));

// What a death means where no launcher of ours watches: nothing under --on-failure=continue, else
// the end of the job. `first`: nobody on this machine knew of it. Any thread.
void follow_death(unsigned rank, bool first);

// Shows on the board that this rank has left in order; all that it has sent is out before. A rank
// that the others have given up stays dead.
void say_left() noexcept;
// After that: takes leave of the launcher and unmaps everything.
void leave();

}  // namespace ramjet::job
