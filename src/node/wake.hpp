// SPDX-License-Identifier: Apache-2.0
// Waking the owner of a port that sleeps.
#pragma once

#include "base/futex.hpp"
#include "ramjet/detail/layout.hpp"

namespace ramjet::job {

// Costs a load if it does not sleep. Whoever calls has made visible before, by a full fence, what
// the owner is to see.
inline void wake(detail::port_line& port) noexcept {
  if (port.asleep.load(std::memory_order_relaxed) == 0) return;
  port.asleep.store(0, std::memory_order_relaxed);
  base::futex_wake(port.asleep);
}

}  // namespace ramjet::job
