// SPDX-License-Identifier: Apache-2.0
// What an endpoint remembers between and during collectives. Pieces may arrive before this rank
// enters the collective they belong to; they wait in the inbox.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramjet::detail {

struct collective_state {
  static constexpr unsigned kRoundsMax = 10;  // 2^10 ranks

  struct piece {
    std::uint64_t sequence;  // of the collective it belongs to
    int from;
    std::size_t bytes_total;
    std::vector<std::byte> bytes;  // complete when bytes.size() == bytes_total
  };

  const char* name = nullptr;  // of the collective in progress, as the program called it
  std::uint64_t barriers = 0;                           // entered by this rank
  std::array<std::uint64_t, kRoundsMax> notified{};     // barrier messages received, by round
  std::uint64_t sequence = 0;                           // collectives begun by this rank
  std::vector<piece> inbox;
  std::uint64_t own_sent = 0;      // messages of collectives, which quiesce must not count
  std::uint64_t own_handled = 0;
};

}  // namespace ramjet::detail
