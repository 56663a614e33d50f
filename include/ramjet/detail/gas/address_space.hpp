// SPDX-License-Identifier: Apache-2.0
// Where the segments of all ranks lie in this process, which of them are the ranks' memory itself,
// and the lines by which ranks count the bytes they store into each other's. Set when the job is
// joined, constant until it is left.
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
//
// Near ranks are those whose memory is shared with this one. Accesses find them in a table by the
// rank that stands in the pointer, this rank at its window. The addresses of far ranks' segments
// are not mapped: their memory is served there (far.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ramjet/detail/base/cpu.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

// The bits of a global pointer: {rank:16 | address:48}.
inline constexpr unsigned kRankShift = 48;
inline constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << kRankShift) - 1;
inline constexpr unsigned kRankNever = 0xffff;  // no rank has this number

// Bytes that one rank stored into another's segment by one-way stores. Written by the sender alone,
// or for a far sender by the target's server; read by the target. Positions: they only grow.
struct alignas(64) store_line {
  std::atomic<std::uint64_t> stored;  // pairs: gas.stored
  // `stored` as of the sender's entry into the last two all_store_syncs, by their parity.
  std::atomic<std::uint64_t> at_entry[2];
};
static_assert(sizeof(store_line) == 64);

// Written by its rank. 1: it waits for stores, so a sender wakes it if it sleeps.
struct alignas(64) store_gate {
  std::atomic<std::uint32_t> waiting;
};
static_assert(sizeof(store_gate) == 64);

// By the rank part of a pointer, whatever it is: a pointer `bits` to a near rank is inside its
// segment if bits - first[rank] is below segment_bytes, and its byte is at bits + delta[rank]. The
// difference is past any segment's end where the rank is not near, as where all is zero, but for
// rank 0. No page is touched but those of the job's ranks.
inline constexpr std::size_t kRankParts = std::size_t{1} << 16;
struct near_table {
  std::uint64_t first[kRankParts];  // the pointer to the first byte of the rank's segment
  std::uint64_t delta[kRankParts];
  store_line* sent[kRankParts];  // where this rank counts what it stores there
};
extern near_table near_places asm("ramjet_near_places");  // of src/gas/address_space.cpp

// The first line is read by every access through a global pointer; splitc.h knows it too.
struct alignas(64) address_space {
  std::uint64_t own_bits;  // the pointer to this rank's first byte
  std::uint64_t window_base;
  std::uint64_t segment_bytes;  // at least a page
  std::uint64_t words_end;  // segment_bytes - 7: any word that begins below it ends inside
  const near_table* near;  // &near_places
  std::uint64_t found_count;  // of ranks that the table of places finds
  std::uint64_t ranks;
  std::int32_t ranks_log;  // 2^ranks_log == ranks, or -1
  std::uint64_t segment_base;
  store_gate* gates;  // [ranks]
  store_line* stores;  // [target][sender]
  store_line* sent;  // stores + rank(): where this rank counts, in the first of the rows
  const std::uint8_t* near_ranks;  // [ranks]: 1 if near, 0 if far

  std::uint64_t segments_bytes() const noexcept { return ranks * segment_bytes; }
  std::uint64_t rank() const noexcept { return own_bits >> kRankShift; }
  store_line& stores_to(std::uint64_t target) const noexcept { return sent[target * ranks]; }
  // Of a rank of the job.
  bool is_near(std::uint64_t other) const noexcept { return near_ranks[other] != 0; }
  bool all_near() const noexcept { return found_count == ranks; }
};
static_assert(sizeof(address_space) == 128 && offsetof(address_space, segment_base) == 64);

// Outside a job no pointer passes the checks: no word begins below an end of 0, and own_bits is an
// address that no processor has.
inline constexpr address_space kNoSpace{.own_bits = 0xffff'8000'0000'0000,
                                        .window_base = 0,
                                        .segment_bytes = 4096,
                                        .words_end = 0,
                                        .near = &near_places,
                                        .found_count = 0,
                                        .ranks = 0,
                                        .ranks_log = -1,
                                        .segment_base = 0,
                                        .gates = nullptr,
                                        .stores = nullptr,
                                        .sent = nullptr,
                                        .near_ranks = nullptr};

// One object by two names (docs/adr/0008). The const one is for what is only meaningful inside a
// job, where it does not change: gcc then keeps it in registers over the accesses of a loop, each
// of which it must take for a change of all other memory. Tests that change it between two
// accesses say so.
extern address_space live_space asm("ramjet_address_space");  // of src/gas/address_space.cpp
#if defined(__clang__) || defined(RAMJET_SPACE_CHANGES)
extern address_space space asm("ramjet_address_space");
#else
extern const address_space space asm("ramjet_address_space");
#endif

// The same table. clang, to which the pointer may change, takes the address from the linker; gcc
// would give each program that has the library shared a copy of the table.
#if defined(__clang__)
RAMJET_INLINE const near_table& places() noexcept {
  return near_places;
}
#else
RAMJET_INLINE const near_table& places() noexcept {
  return *space.near;
}
#endif

}  // namespace ramjet::detail

#pragma GCC visibility pop
