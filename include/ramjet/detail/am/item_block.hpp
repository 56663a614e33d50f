// SPDX-License-Identifier: Apache-2.0
// Blocks of items: those of one aggregated handler that gather at their sender, to leave for one
// port in one message. A sender's loop adds an item by a compare and a copy; all else is in
// src/am/aggregation.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ramjet/detail/base/cpu.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

// What a send does that finds no room.
enum class on_full { wait, give_up, queue };

// Whether a handler may reply to a block. Its reply is one message, so such a block stays short.
enum class answers { none, one };

// begin <= at <= end <= begin + capacity. at == end: the next item takes the slow way, as the first
// one does (begin is null until then).
struct alignas(32) item_block {
  std::byte* at = nullptr;  // the next item goes here
  std::byte* end = nullptr;
  std::byte* begin = nullptr;
  // Bytes: that there is room for; that it held at the last poll; before its first look at the
  // receiver.
  std::uint16_t capacity = 0, polled = 0, look = 0;

  bool empty() const noexcept { return at == begin; }
  std::size_t bytes() const noexcept { return std::size_t(at - begin); }
};
static_assert(sizeof(item_block) == 32);

}  // namespace ramjet::detail

#pragma GCC visibility pop
