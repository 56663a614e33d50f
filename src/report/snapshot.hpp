// SPDX-License-Identifier: Apache-2.0
// What one sees of a job at one moment: who waits for whom, and every counter that is not zero. A
// copy: plain values that tests can make up. The launcher sees all of its job; a rank its own node,
// and of others only who has left or died.
//
// The ranks write while this reads. A job that stands still gives numbers that reconcile; one that
// moves gives numbers of slightly different moments, and `moving` says so: a reader of the lanes
// watches the counters for a moment.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "node/board.hpp"
#include "report/node_memory.hpp"

namespace ramjet::report {

struct rank_view {
  rank_state state = rank_state::absent;
  bool exited = false;
  pid_t pid = 0;  // the process that joined, or the one that was started
  char process_state = '?';  // as in /proc: R runs, S sleeps, T stopped, ...
  unsigned node = 0;
  bool has_come = false;  // it has begun to join, at least
  bool seen = true;  // false: only `state` and `node` are known, and its ports and counters are not

  // Its process is dead: what its ports show is what it did last.
  bool is_dead() const { return exited || state == rank_state::failed; }
};

struct port_view {
  bool open = false;
  bool waiting = false;
  int target = -1;  // rank waited for, -1: any
  std::uint64_t since_ns = 0;
  std::string call;
  bool of_threads = false;  // all of its user-level threads wait, one of them in this call
  bool threads_answer = false;  // SIGUSR1 makes the process write what each of them waits for
  bool coprocessor = false;
  bool asleep = false;  // waiting, until somebody wakes it

  // "barrier"; "barrier of a user-level thread".
  std::string described_call() const;
};

// Messages from one port to another, from the counters of both ends.
struct lane_view {
  unsigned from = 0, to = 0;  // ports
  bool from_seen = true, to_seen = true;  // false: the counters of that end are not known
  std::uint64_t requests_sent = 0, requests_received = 0, requests_handled = 0;
  std::uint64_t replies_sent = 0, replies_received = 0, replies_handled = 0;
  std::uint64_t chained = 0;  // queued at the sender

  std::uint64_t sent() const { return requests_sent + replies_sent; }
  std::uint64_t received() const { return requests_received + replies_received; }
  std::uint64_t handled() const { return requests_handled + replies_handled; }
  bool is_whole() const { return from_seen && to_seen; }
  std::uint64_t in_flight() const {
    return is_whole() && sent() > received() ? sent() - received() : 0;
  }
  std::uint64_t in_handler() const { return received() > handled() ? received() - handled() : 0; }
};

struct job_snapshot {
  std::uint64_t now_ns = 0;
  unsigned endpoints = 1;
  unsigned nodes = 1;
  bool moving = false;  // counters changed while they were read, or shortly after
  std::vector<rank_view> ranks;
  // ranks x endpoints; empty before the ranks of a node agreed on a layout. Those of nodes that
  // have none yet are not open.
  std::vector<port_view> ports;
  std::vector<lane_view> lanes;  // those with traffic, by (from, to)

  unsigned rank_of(unsigned port) const { return port / endpoints; }
  bool is_partial() const;  // some rank is not seen
  // Whether the port's rank waits there; one that is dead does not.
  bool waits(unsigned port) const { return ports[port].waiting && !ranks[rank_of(port)].is_dead(); }
  // The port of the rank that has waited longest, nullptr if none waits. A co-processor waits
  // whenever it has nothing to do: that says nothing of its rank.
  const port_view* longest_wait(unsigned rank) const;
};

// Reads who waits, each rank where its node keeps it. Fills ranks[] but for what only /proc and the
// parents of the processes know.
job_snapshot read_waits(const readable_job& job);

// Adds the lanes to a snapshot from read_waits; none of a node whose layout is not that
// snapshot's any more. Where nothing moves, watches the counters for `watch_ns`.
void read_lanes(const readable_job& job, job_snapshot& into, std::uint64_t watch_ns = 0);
inline constexpr std::uint64_t kWatchNs = 200'000'000;  // for a report

// The lanes alone, without looking whether anything moves.
void gather_lanes(const readable_job& job, job_snapshot& into);

// A number that changes whenever any rank has sent, received, handled, or finished a call.
std::uint64_t read_activity(const readable_job& job);

// The ranks that live and are of the job, and all of whose user-level threads wait: SIGUSR1 makes
// their processes write for what.
std::vector<unsigned> ranks_to_ask(const job_snapshot& snapshot);

}  // namespace ramjet::report
