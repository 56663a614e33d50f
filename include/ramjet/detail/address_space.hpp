// SPDX-License-Identifier: Apache-2.0
// Where the segments of all ranks lie in this process, and the lines by which ranks count the bytes
// they store into each other's. Set when the job is joined, constant until it is left.
//
//   window_base            segment_base      + segment_bytes    + 2 * segment_bytes
//   +------------+   ...   +-----------------+------------------+------------------+--
//   | my segment |         | rank 0's        | rank 1's         | rank 2's         | ...
//   +------------+         +-----------------+------------------+------------------+--
//
// Every rank sees its own segment twice: among all the others, and at the window, which has the
// same address in every rank. So an address in the window is symmetric: the same number names the
// corresponding byte of each rank. It is the address part of a global pointer, with the rank in the
// top 16 bits. (Culler et al. 1993, Parallel Programming in Split-C, section 2; Arpaci et al. 1995)
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ramjet/detail/layout.hpp"

namespace ramjet::detail {

// The bits of a global pointer: {rank:16 | address:48}.
inline constexpr unsigned kRankShift = 48;
inline constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << kRankShift) - 1;
inline constexpr unsigned kRankNever = 0xffff;  // no job has so many ranks

// Bytes that one rank stored into another's segment by one-way stores. Written by the sender alone,
// read by the target. Positions: they only grow.
struct alignas(64) store_line {
  std::atomic<std::uint64_t> stored;  // pairs: gas.stored
  // `stored` as of the sender's entry into the last two all_store_syncs, by their parity.
  std::atomic<std::uint64_t> at_entry[2];
};
static_assert(sizeof(store_line) == 64);

// Written by its rank. 1: it waits for stores, so a sender looks whether it sleeps and wakes it.
struct alignas(64) store_gate {
  std::atomic<std::uint32_t> waiting;
};
static_assert(sizeof(store_gate) == 64);

// One cache line, read by every access through a global pointer; splitc.h knows its numbers too.
// Outside a job no pointer passes the checks on it: own_bits is then an address that no processor
// has.
struct alignas(64) address_space {
  std::uint64_t own_bits = 0xffff'8000'0000'0000;  // the pointer to this rank's first byte
  std::uint64_t window_base = 0;
  std::uint64_t segment_bytes = 4096;  // at least a page
  std::uint64_t segment_base = 0;
  std::uint64_t segments_bytes = 0;  // ranks * segment_bytes
  std::uint32_t ranks = 0;
  std::int32_t ranks_log = -1;  // 2^ranks_log == ranks, or -1
  store_gate* gates = nullptr;  // [ranks]
  store_line* stores = nullptr;  // [target][sender]

  std::uint64_t rank() const noexcept { return own_bits >> kRankShift; }
  store_line& stores_to(std::uint64_t target) const noexcept {
    return stores[target * ranks + rank()];
  }
};
static_assert(sizeof(address_space) == 64);

extern address_space space asm("ramjet_address_space");  // of src/job/join.cpp

}  // namespace ramjet::detail
