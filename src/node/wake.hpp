// SPDX-License-Identifier: Apache-2.0
// Waking the owner of a port that sleeps.
#pragma once

#include "base/futex.hpp"
#include "node/region.hpp"
#include "ramjet/detail/node/port_line.hpp"

namespace ramjet::node {

// A port of the job that this process is in; any node's, though only those of this node sleep here.
inline detail::port_line& port(std::uint64_t index) noexcept {
  return ports.as<detail::port_line>()[index];
}

// Costs a load if it does not sleep. Whoever calls has made visible before, by a full fence, what
// the owner is to see.
inline void wake(detail::port_line& port) noexcept {
  if (port.asleep.load(std::memory_order_relaxed) == 0) return;
  port.asleep.store(0, std::memory_order_relaxed);
  base::futex_wake(port.asleep);
}

}  // namespace ramjet::node
