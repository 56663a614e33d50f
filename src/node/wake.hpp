// SPDX-License-Identifier: Apache-2.0
// Waking the owner of a port that sleeps.
#pragma once

#include <atomic>

#include "base/futex.hpp"
#include "node/region.hpp"
#include "ramjet/detail/node/port_line.hpp"

namespace ramjet::node {

// A port of the job that this process is in; any node's, though only those of this node sleep here.
inline detail::port_line& port(std::uint64_t index) noexcept {
  return ports.as<detail::port_line>()[index];
}

// Wakes those of `count` owners that sleep; port_of(i) is the port of the i-th. Each of them either
// sees what the calling thread has stored before, or is woken. Costs a full fence, and a load for
// each that does not sleep.
template <class PortOf>
void wake_each(unsigned count, PortOf&& port_of) noexcept {
  // store-load: am.sleep (waker)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (unsigned i = 0; i < count; ++i) {
    detail::port_line& port = port_of(i);
    if (port.asleep.load(std::memory_order_relaxed) == 0) continue;
    port.asleep.store(0, std::memory_order_relaxed);
    base::futex_wake(port.asleep);
  }
}

// The same for one.
inline void wake(detail::port_line& port) noexcept {
  wake_each(1, [&port](unsigned) -> detail::port_line& { return port; });
}

}  // namespace ramjet::node
