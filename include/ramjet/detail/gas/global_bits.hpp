// SPDX-License-Identifier: Apache-2.0
// Arithmetic on the bits of global pointers. Pure; the number of ranks is an argument.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "ramjet/detail/base/cpu.hpp"
#include "ramjet/detail/gas/address_space.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

constexpr std::uint64_t make_bits(std::uint64_t rank, std::uint64_t address) noexcept {
  return rank << kRankShift | (address & kAddressMask);
}
constexpr std::uint64_t rank_of(std::uint64_t bits) noexcept { return bits >> kRankShift; }
constexpr std::uint64_t address_of(std::uint64_t bits) noexcept { return bits & kAddressMask; }

// A rank as it stands in a pointer: one that does not fit becomes one that no access accepts.
constexpr std::uint64_t rank_part(int rank) noexcept {
  return unsigned(rank) < kRankNever ? unsigned(rank) : kRankNever;
}

// Addresses before ranks: the order of spread pointers.
constexpr std::uint64_t spread_order(std::uint64_t bits) noexcept {
  return std::rotl(bits, 64 - int(kRankShift));
}

// Segmented: n elements further on the same rank, as long as the address stays within its 48 bits.
constexpr std::uint64_t advance_segmented(std::uint64_t bits, std::ptrdiff_t n,
                                          std::size_t element_bytes) noexcept {
  return bits + std::uint64_t(n) * element_bytes;
}

// Where there seem to be no ranks: the same by the number that holds now (docs/adr/0008).
RAMJET_COLD std::uint64_t advance_wrapped_slow(std::uint64_t bits, std::ptrdiff_t n,
                                               std::size_t element_bytes) noexcept;

// Wrapped: t = rank + n; rank t mod P, and the address moves by floor(t / P) elements; as long as
// it stays within its 48 bits.
RAMJET_INLINE constexpr std::uint64_t advance_wrapped(std::uint64_t bits, std::ptrdiff_t n,
                                                      std::size_t element_bytes,
                                                      std::uint64_t ranks,
                                                      std::int32_t ranks_log) noexcept {
  const std::int64_t t = std::int64_t(rank_of(bits)) + n;
  std::int64_t rows = 0;
  if (ranks_log >= 0) {
    rows = t >> ranks_log;
  } else if (std::uint64_t(t) >= ranks) {
    if (ranks == 0) [[unlikely]]
      return advance_wrapped_slow(bits, n, element_bytes);
    rows = t / std::int64_t(ranks);
    if (t < rows * std::int64_t(ranks)) --rows;
  }
  // The rank grows by n - rows * P.
  return bits + (std::uint64_t(n) << kRankShift) +
         std::uint64_t(rows) * (element_bytes - (ranks << kRankShift));
}

// to - from in elements; the inverse of the two above.
constexpr std::ptrdiff_t address_distance(std::uint64_t to, std::uint64_t from) noexcept {
  return std::ptrdiff_t(address_of(to)) - std::ptrdiff_t(address_of(from));
}
constexpr std::ptrdiff_t distance_segmented(std::uint64_t to, std::uint64_t from,
                                            std::size_t element_bytes) noexcept {
  return address_distance(to, from) / std::ptrdiff_t(element_bytes);
}
constexpr std::ptrdiff_t distance_wrapped(std::uint64_t to, std::uint64_t from,
                                          std::size_t element_bytes, std::uint64_t ranks) noexcept {
  return address_distance(to, from) / std::ptrdiff_t(element_bytes) * std::ptrdiff_t(ranks) +
         (std::ptrdiff_t(rank_of(to)) - std::ptrdiff_t(rank_of(from)));
}

// The window address of a byte that the program names by an address of this process: one in any
// rank's segment becomes symmetric, any other stays as it is.
inline std::uint64_t window_address(const void* local) noexcept {
  const auto address = std::uint64_t(reinterpret_cast<std::uintptr_t>(local));
  const std::uint64_t in_segments = address - live_space.segment_base;
  if (in_segments >= live_space.segments_bytes()) return address;
  return live_space.window_base + in_segments % live_space.segment_bytes;
}

// The bits for such an address: its rank is the segment's owner, this one where it is in none.
inline std::uint64_t bits_of(const void* local) noexcept {
  const auto address = std::uint64_t(reinterpret_cast<std::uintptr_t>(local));
  const std::uint64_t in_segments = address - live_space.segment_base;
  if (in_segments >= live_space.segments_bytes()) return make_bits(live_space.rank(), address);
  return make_bits(in_segments / live_space.segment_bytes,
                   live_space.window_base + in_segments % live_space.segment_bytes);
}

// This rank's memory by its window address, so that overlaps are seen as such; else unchanged.
template <class T>
inline T* one_name(T* local) noexcept {
  const auto address = std::uint64_t(reinterpret_cast<std::uintptr_t>(local));
  const std::uint64_t own =
      address - live_space.segment_base - live_space.rank() * live_space.segment_bytes;
  if (own >= live_space.segment_bytes || live_space.ranks == 0) return local;
  return reinterpret_cast<T*>(live_space.window_base + own);
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
