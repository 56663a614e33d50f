// SPDX-License-Identifier: Apache-2.0
// How a message's arguments stand in its record, and how they are read out of it.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "ramjet/detail/base/cpu.hpp"
#include "ramjet/detail/lane/layout.hpp"

namespace ramjet::detail {

// Layout of a message's arguments: one after the other, each aligned to at most a word.
template <class... A>
struct packed {
  static constexpr std::size_t count = sizeof...(A);
  static constexpr std::array<std::size_t, count + 1> offsets = [] {
    std::array<std::size_t, count + 1> at{};
    [[maybe_unused]] std::size_t i = 0, end = 0;
    ((end =
          (end + (alignof(A) < 8 ? alignof(A) : 8) - 1) & ~((alignof(A) < 8 ? alignof(A) : 8) - 1),
      at[i++] = end, end += std::is_empty_v<A> ? 0 : sizeof(A)),
     ...);
    at[count] = end;
    return at;
  }();
  static constexpr std::size_t bytes = offsets[count];
  static_assert(bytes <= kArgumentBytesMax, "arguments take over 1024 bytes: send a payload");

  static RAMJET_INLINE void put([[maybe_unused]] std::byte* to, const A&... values) noexcept {
    [[maybe_unused]] std::size_t i = 0;
    ((std::is_empty_v<A>
          ? void(++i)
          : void(std::memcpy(to + offsets[i++], __builtin_addressof(values), sizeof(A)))),
     ...);
  }
};

template <class T>
RAMJET_INLINE T read_argument(const std::byte* from) noexcept {
  std::array<std::byte, sizeof(T)> raw{};
  if constexpr (!std::is_empty_v<T>) std::memcpy(raw.data(), from, raw.size());
  return std::bit_cast<T>(raw);
}

}  // namespace ramjet::detail
