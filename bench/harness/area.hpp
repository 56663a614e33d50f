// SPDX-License-Identifier: Apache-2.0
// The memory that the ranks of a benchmark share beside the engine: for the raw limits, and to
// start their blocks together. It lies in rank 0's segment, or, where the job plays several
// machines, in a file of the command's. Zero at first.
//
//   decision | ping, pong | unresponsive, signal | counter barrier | blocks | ring | stamps[rank]
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace bench {

inline constexpr unsigned kRanksMax = 1024;
inline constexpr std::uint64_t kRingSlots = 512;

struct alignas(64) line {
  std::atomic<std::uint64_t> word;
};

// A slot of the raw ring: flag and payload in one line.
struct alignas(64) slot {
  std::atomic<std::uint64_t> lap;  // the message's number + 1, which publishes the payload
  std::uint64_t payload[7];
};

// Written by one rank, read by rank 0 after a meeting.
struct alignas(64) stamp_line {
  std::atomic<std::uint64_t> meetings;  // read by all who meet
  double begin_ns;
  double end_ns;
  double value;
};

struct shared_area {
  line decision;  // rank 0: 1 ends the repeats
  line ping;  // rank 0
  line pong;  // rank 1
  line unresponsive;  // rank 1: polls no more until it sees the signal of this number
  line signal;  // rank 0
  line arrived;  // all: of the counter barrier
  line generation;  // the last to arrive
  line published;  // rank 0: blocks written
  line consumed;  // rank 1: blocks read; consumed <= published
  line freed;  // rank 1: ring slots read; sent - freed <= kRingSlots
  line buffer;  // rank 1: address of memory in its segment
  line tcp;  // rank 0: where it listens for the raw connection; 0: not yet
  slot ring[kRingSlots];
  stamp_line stamps[kRanksMax];
};

static_assert(sizeof(line) == 64 && sizeof(slot) == 64 && sizeof(stamp_line) == 64);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace bench
