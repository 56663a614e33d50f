// SPDX-License-Identifier: Apache-2.0
// The raw limits: what bare loads and stores need for the same thing between the same cores, with no
// library in between. A rank that waits spins tightly; only after many turns it yields, so that a
// rank that was pushed off its core comes back.
//
// Threads: each rank has its own raw_rank; all of them call the same functions in the same order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/area.hpp"

namespace bench {

class raw_rank {
 public:
  raw_rank() = default;
  raw_rank(shared_area& area, int rank, int ranks) : area_(&area), rank_(rank), ranks_(ranks) {}

  // Ranks 0 and 1, two cache lines: rank 1 answers what rank 0 writes. ns a round trip at rank 0.
  double round_trip_ns(unsigned count);

  // Ranks 0 and 1: `count` 8-byte messages through a ring of 64-byte slots. No handlers. The flag
  // stands in the slot, the sender learns of free slots every quarter. Checks the sum.
  void stream(unsigned count);

  // All ranks: a barrier of one shared counter whose waiting ranks yield. ns each.
  double counter_barrier_ns(unsigned count);

  // Ranks 0 and 1: rank 0 copies its block of `bytes` to one of `slots` buffers in turn, rank 1
  // reads each by `read`, which returns a sum that is checked. At most `slots` are under way.
  void copy_blocks(unsigned count, std::byte* buffers, unsigned slots, const void* source,
                   std::size_t bytes, std::uint64_t (*read)(const void*, std::size_t),
                   std::uint64_t expected);

 private:
  shared_area* area_ = nullptr;
  int rank_ = 0;
  int ranks_ = 1;
  std::uint64_t turns_ = 0;     // round trips so far
  std::uint64_t streamed_ = 0;  // messages through the ring so far
  std::uint64_t blocks_ = 0;    // blocks copied so far
};

}  // namespace bench
