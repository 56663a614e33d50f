// SPDX-License-Identifier: Apache-2.0
// Whose the operations are that are complete at sync_all(), where user-level threads share an
// endpoint. Each thread has its own; nobody's are those of handlers, of threads that have ended
// before them, and all where no threads are served.
//
// Equations at a system thread, between calls:
//   begun - ended == nobody's + apart               (procedures(), gas.hpp, with `failed` nobody's)
//   apart         == the sum of `count` over the threads that have not left
//   unreported        == how many of these, and of nobody, have `failed`
//
// What is kept of a thread belongs to the worker where it communicates; where it has gone elsewhere
// before it ends, it sends that back.
#pragma once

#include <cstdint>

#include "ramjet/detail/am/call_state.hpp"
#include "ramjet/status.hpp"
#include "ramjet/ult/detail/control.hpp"

namespace ramjet::detail {

// Of one user-level thread at one worker. An operation refers to it until it has ended.
struct own_operations : ult::detail::parcel {
  ult::detail::worker* at;  // whose system thread counts them
  std::uint64_t count = 0;  // under way
  bool failed = false;  // one of them, since the last sync
  bool left = false;  // its thread has ended: they are nobody's, and it goes with the last of them
};

// The running thread begins an operation; whose it is, null: nobody's.
own_operations* operation_begins(const engine& e) noexcept;
// In the system thread where it began.
void operation_ends(own_operations* of, status how) noexcept;

// Calls end(s) when the call has ended: at once if it has.
template <class End>
void at_end_of(call_state& s, End end) {
  if (s.is.done)
    end(s);
  else
    continue_call(s, end);
}

// The running thread's own operations here, null: it has none.
own_operations* find_own_operations() noexcept;
// What sync_all() waits for: that these have ended, and nobody's.
bool have_ended(const own_operations* own) noexcept;
// Whether one of these, or of nobody's, has failed since that was last asked.
bool take_failure(own_operations* own) noexcept;

// An access of the running thread has failed, in a language that has no exceptions.
void report_at_sync() noexcept;

}  // namespace ramjet::detail
