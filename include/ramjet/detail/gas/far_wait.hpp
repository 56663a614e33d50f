// SPDX-License-Identifier: Apache-2.0
// Waits for what far memory says, of locks and work queues. The rank that changes that memory wakes
// the waiters by a message; they poll by themselves as well, now and then: the one that was to wake
// them may have died.
#pragma once

#include <cstdint>

#include "ramjet/am.hpp"
#include "ramjet/detail/gas/far.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

// How many such messages have woken this thread (src/gas/wake.hpp).
std::uint64_t wakes_here() noexcept;

// Waits until is_over() holds, which accesses far memory. To a hang report it is one wait, and the
// loads of far words in it do not count as progress.
template <class Over>
status wait_at_far(waiting& w, Over&& is_over) {
  constexpr std::uint64_t kPauseMsMax = 100;
  engine& e = *current_engine;
  w.in_parts = true;
  const auto end = [&e, &w](status how) {  // it is shown no more
    w.deadline_ns = 0;
    static_cast<void>(e.wait(w, [] { return true; }));
    return how;
  };
  for (std::uint64_t pause_ms = 1;;
       pause_ms = 2 * pause_ms < kPauseMsMax ? 2 * pause_ms : kPauseMsMax) {
    const std::uint64_t woken = wakes_here();
    try {
      const polls_far_words polls;
      if (is_over()) return end(status::ok);
    } catch (...) {
      end(status::peer_failed);
      throw;
    }
    w.deadline_ns = deadline_in(pause_ms);
    const status s = e.wait(w, [woken] { return wakes_here() != woken; });
    if (s != status::ok && s != status::timed_out) return end(s);
  }
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
