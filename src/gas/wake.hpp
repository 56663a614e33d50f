// SPDX-License-Identifier: Apache-2.0
// Waking a port that sleeps in a wait, so that it checks its memory. What it waits for is written
// before, with a full fence in between. A port on another node is woken by a message.
#pragma once

#include <cstdint>

namespace ramjet::detail {

void wake_port(std::uint64_t port) noexcept;
// The same by a message, which the waiter counts, even to a port on this node.
void wake_port_by_message(std::uint64_t port) noexcept;
// How many such messages have woken this thread: wakes_here(), detail/gas/far_wait.hpp.

}  // namespace ramjet::detail
