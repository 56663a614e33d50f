// SPDX-License-Identifier: Apache-2.0
// The doorbell of a lane whose receiver does not poll it. The cold side of `attended`.
#pragma once

#include "node/wake.hpp"
#include "ramjet/detail/lane/layout.hpp"

namespace ramjet::lane {

// Rings the lane's bell. The receiver clears a bell before it polls the lane, so any number of
// rings before that counts as one.
inline void ring(detail::lane& l) noexcept {
  l.bell->store(1, std::memory_order_release);  // pairs: am.bell
  l.receiver->rings.fetch_add(1, std::memory_order_release);  // pairs: am.rings
  node::wake(*l.receiver);
}

}  // namespace ramjet::lane
