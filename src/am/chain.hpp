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

}  // namespace ramjet::detail
