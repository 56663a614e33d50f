// SPDX-License-Identifier: Apache-2.0
// Ringing at a port that does not look at a lane by itself. The cold side of `attended`.
#pragma once

#include "base/futex.hpp"
#include "ramjet/detail/layout.hpp"

namespace ramjet::channel {

// Wakes the owner of a port if it sleeps.
inline void wake(detail::port_line& port) noexcept {
  if (port.asleep.load(std::memory_order_relaxed) == 0) return;
  port.asleep.store(0, std::memory_order_relaxed);
  base::futex_wake(port.asleep);
}

// Rings the lane's bell. The receiver clears a bell before it looks at the lane, so any number of
// rings before that is one. A full barrier stands between the bell and the look at `asleep` (the
// sleeper's side is in src/am/wait.cpp).
inline void ring(detail::lane& l) noexcept {
  l.bell->store(1, std::memory_order_release);           // pairs: am.bell
  l.receiver->rings.fetch_add(1, std::memory_order_release);  // pairs: am.rings
  std::atomic_thread_fence(std::memory_order_seq_cst);
  wake(*l.receiver);
}

}  // namespace ramjet::channel
