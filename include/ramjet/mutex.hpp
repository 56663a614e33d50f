// SPDX-License-Identifier: Apache-2.0
// Locks between ranks, for data that several of them change in place.
//
// The lock's state stands in the segment of one rank, its owner. Ranks of that node work on it in
// place, the others by far accesses (gas.hpp), so the owner has to poll. It is handed over in the
// order of ranks, round and round, so everybody gets it. A waiter polls, serves messages, and
// sleeps like any wait; the unlocker wakes the next. A hang report names the holder.
// Cost: an atomic instruction to lock and one to unlock if nobody else wants it; for a lock on
// another node, a request there and an answer back to lock, three to unlock.
#pragma once

#include <cstdint>

#include "ramjet/detail/node/port_line.hpp"
#include "ramjet/global_ptr.hpp"
#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

// What a lock is in memory; all zero is an open lock. Only atomic operations touch it.
struct alignas(64) mutex_state {
  std::uint64_t holder;  // its port + 1, 0: nobody. Changes from nonzero by the holder alone
  alignas(64) std::uint64_t waiting[detail::kPortsMax / 64];  // a bit for each port that waits
};

// A handle of such a lock: copied freely, sent in messages, the same in all ranks. std::lock_guard
// takes it where a death ends the job; it ignores the status, so with --on-failure=continue call
// lock and check what it returns.
// Threads: any with an endpoint, which is what holds the lock, one at a time: user-level threads of
// one endpoint that want the lock take turns by a ult::mutex. Misuse (a handle of no lock, locking
// what this endpoint holds or another thread of it waits for, unlocking what it does not hold) ends
// the process.
class global_mutex {
 public:
  global_mutex() = default;  // of no lock
  explicit global_mutex(global_ptr<mutex_state> where) noexcept : where_(where) {}

  // A new lock, open, in this rank's segment; the process ends if there is no room. One thread of a
  // rank.
  static global_mutex make();
  // Gives the memory back; by the rank that made it, once nobody uses it any more.
  void destroy();

  explicit operator bool() const noexcept { return bool(where_); }
  global_ptr<mutex_state> where() const noexcept { return where_; }

  // Waits until this endpoint holds the lock. peer_failed if a rank died meanwhile (once for each
  // death), if the holder is dead: its lock stays closed, or if the owner is, on another node: the
  // lock is lost with its memory. The lock is not held then. Polls: not in a handler.
  [[nodiscard]] status lock();
  // Whether this endpoint has got the lock, at once; false of a lost one. Legal in a handler for a
  // lock on this node.
  [[nodiscard]] bool try_lock();
  // Legal in a handler, as try_lock. What this thread wrote under the lock is seen by the next to
  // hold it. Nothing happens to a lost one.
  void unlock();

 private:
  global_ptr<mutex_state> where_;
};

}  // namespace ramjet

#pragma GCC visibility pop
