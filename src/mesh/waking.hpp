// SPDX-License-Identifier: Apache-2.0
// Waking the endpoint of a port of this rank for what the mesh has for it.
#pragma once

#include <atomic>
#include <cstdint>

#include "job/join.hpp"
#include "node/wake.hpp"

namespace ramjet::job {

inline void wake_port(std::uint32_t port) {
  const membership& m = self();
  auto* lines = reinterpret_cast<detail::port_line*>(m.at(m.layout.ports_offset));
  std::atomic_thread_fence(std::memory_order_seq_cst);
  wake(lines[port]);
}

}  // namespace ramjet::job
