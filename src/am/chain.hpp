// SPDX-License-Identifier: Apache-2.0
// Requests that found no room, waiting in order in the memory of their sender.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramjet::detail {

struct chain_queue {
  // Before the bytes of each message; those are padded to 8.
  struct entry {
    std::uint32_t handler;
    std::uint32_t argument_bytes;
    std::uint32_t payload_bytes;
    std::uint32_t reserved;
  };
  std::vector<std::byte> bytes;
  std::size_t front = 0;       // [front, bytes.size()) waits
  std::uint64_t messages = 0;  // how many they are
};

struct engine_cold;

// Ends the process if the copies of what handlers have written to ranks of other nodes, and what
// could not leave yet, are over the limit of chained messages.
void check_waiting_bytes(engine_cold& x);

}  // namespace ramjet::detail
