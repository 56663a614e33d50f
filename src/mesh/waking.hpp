// SPDX-License-Identifier: Apache-2.0
// Waking the endpoint of a port of this rank for what the mesh has for it.
#pragma once

#include <atomic>
#include <cstdint>

#include "node/wake.hpp"

namespace ramjet::mesh {

inline void wake_port(std::uint32_t port) {
  // store-load: am.sleep (waker)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  node::wake(node::port(port));
}

}  // namespace ramjet::mesh
