// SPDX-License-Identifier: Apache-2.0
// What many ranks at once cost: a barrier, in which each has a turn of a core where they outnumber
// the cores, and messages of all to all, whose bytes go through the caches of everybody. All ranks
// have sent messages to each other before.
#pragma once

#include <cstdint>

#include "tools/characterize/estimate.hpp"

namespace characterize {

struct crowd_costs {
  double barrier_ns = 0;
  // Of a processor, for each byte of 8 KiB messages from every rank to every other: the copying by
  // the sender, and that the receiver reads it.
  double byte_ns = 0;
};

// Of payloads from one rank to another (src/lane), which a stream of long ones uses all of.
inline constexpr std::uint64_t kRingBytes = 256 * 1024;

// What the rings of as many ranks come to have of memory, where all send to all.
inline std::uint64_t memory_of_rings(unsigned ranks) {
  return std::uint64_t{ranks} * (ranks - 1) * kRingBytes;
}

// Collective, by two ranks or more that share a node, of which `cores` run at a time; without bytes
// byte_ns is 0. Valid at rank 0; at the others nothing of use.
crowd_costs probe_crowd(unsigned cores, bool with_bytes, const patience& each);

}  // namespace characterize
