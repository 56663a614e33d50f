// SPDX-License-Identifier: Apache-2.0
// The doorbell of a lane whose receiver does not poll it. The cold side of `attended`.
#pragma once

#include "node/wake.hpp"
#include "ramjet/detail/lane/layout.hpp"

namespace ramjet::lane {

// Rings the lane's bell. The receiver clears a bell before it polls the lane, so any number of
// rings before that counts as one. A full barrier separates the bell from the load of `asleep` (the
// sleeper's side is in src/am/wait.cpp).
inline void ring(detail::lane& l) noexcept {
  l.bell->store(1, std::memory_order_release);  // pairs: am.bell
  l.receiver->rings.fetch_add(1, std::memory_order_release);  // pairs: am.rings
  // store-load: am.sleep (waker)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  node::wake(*l.receiver);
}

}  // namespace ramjet::lane
