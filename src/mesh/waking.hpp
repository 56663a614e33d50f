// SPDX-License-Identifier: Apache-2.0
// Waking the endpoint of a port of this rank for what the mesh has for it.
#pragma once

#include <cstdint>

#include "node/wake.hpp"

namespace ramjet::mesh {

inline void wake_port(std::uint32_t port) { node::wake(node::port(port)); }

}  // namespace ramjet::mesh
