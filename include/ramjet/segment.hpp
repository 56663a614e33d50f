// SPDX-License-Identifier: Apache-2.0
// The rank's segment: memory that long messages may be put into. A segment lies at the same
// virtual address in every rank; on one machine a neighbour's memory is reached by a plain
// pointer. Pages cost nothing until they are touched. A rank sees its own segment once more at an
// address that is the same in every rank (global_ptr.hpp).
//
// segment_allocate takes memory from the lower end of the segment, the symmetric heap and stack
// (spread.hpp) from the upper end, and either may use what is free, with these limits. Frames of
// the symmetric stack come up without a word to other ranks: once this rank has used one,
// segment_allocate keeps to the lower half, or to what the last all_spread_malloc that had to take
// memory from that half has left to it. What one rank has allocated is no room for a symmetric
// block in any rank. RAMJET_SEGMENT_BYTES and options::segment_bytes set the segment's size.
#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <type_traits>

#include "ramjet/detail/base/check.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

// Address space of one rank's segment.
std::size_t segment_bytes() noexcept;

// Where the segment of a rank begins: rank * segment_bytes() after that of rank 0, the same address
// in every rank. Memory of a rank on another machine (node_of) cannot be accessed here: the address
// says where a long message goes, and following it ends the process. A rank outside the job ends
// the process.
std::byte* segment_begin(int rank);

// The rank whose segment holds the address, -1 if none does. For what `local()` of a global pointer
// returned that is this rank.
int segment_owner(const void* address) noexcept;

// Memory in this rank's own segment, aligned to `alignment` (a power of two); nullptr if the
// segment is used up, and nothing has changed then. Not initialised. One thread at a time per rank;
// all_spread_malloc counts as one. Not inside a handler.
void* segment_allocate(std::size_t bytes, std::size_t alignment = 64);

// Gives back what segment_allocate returned in this rank; nullptr is allowed. Any other memory ends
// the process, also what was given back before. One thread at a time per rank.
void segment_free(void* memory) noexcept;

// An array of `count` value-initialised T in this rank's segment; the process ends if there is no
// room.
template <class T>
  requires std::is_trivially_copyable_v<T>
std::span<T> segment_array(std::size_t count) {
  RAMJET_CHECK(count <= segment_bytes() / sizeof(T),
               "segment_array: larger than the segment (RAMJET_SEGMENT_BYTES)");
  void* memory = segment_allocate(count * sizeof(T), alignof(T) > 64 ? alignof(T) : 64);
  RAMJET_CHECK(memory != nullptr, "segment_array: the segment is used up (RAMJET_SEGMENT_BYTES)");
  return {new (memory) T[count](), count};
}

}  // namespace ramjet

#pragma GCC visibility pop
