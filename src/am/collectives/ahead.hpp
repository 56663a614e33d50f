// SPDX-License-Identifier: Apache-2.0
// How far a member may run ahead of another that it sends to: so far that what is kept there, for
// calls that the other has not reached, has a bound. (ADR 32)
//
// What a member sends to another of its team goes in halves of half_bytes(), counted when a message
// begins; a message longer than a half is one by itself. Before the first message of a half the
// sender asks the receiver to tell it when all before is taken, and has been told so of what it
// asked before; else it waits. So
//   messages sent and not known to be taken <= two halves.
// The receiver answers at once if it keeps nothing of the member, else when it takes the last of
// what it keeps. No wait is for a message of the same call: a call sends a member two at most, and
// the latest of what was asked about is two before the one that waits. A wait is for an earlier
// call, then, as in a collective in which everybody waits for all.
//
// Threads: the endpoint's own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "am/collective_state.hpp"
#include "ramjet/status.hpp"

namespace ramjet::detail {

class operation;

inline constexpr std::uint32_t kHalfBytesMax = 256 * 1024;  // at least what a lane holds
inline constexpr std::uint32_t kHalfBytesMin = 32 * 1024;
inline constexpr std::uint32_t kAllHalvesBytes = 16 * 1024 * 1024;  // from all members together
inline constexpr std::uint32_t kMessageBytes = 128;  // that a message counts beside its own

constexpr std::uint32_t half_bytes(int members) noexcept {
  return std::clamp(kAllHalvesBytes / std::uint32_t(members), kHalfBytesMin, kHalfBytesMax);
}
constexpr std::size_t cost_of_message(std::size_t bytes) noexcept { return kMessageBytes + bytes; }

// Messages of one member that another keeps, at most.
inline constexpr std::size_t kKeptMax = 2 * kHalfBytesMax / kMessageBytes;

// A message of that cost is about to be sent to the member and does not fit in this half. Waits
// where the half before is not known to be taken; the death of any rank ends that.
status begin_half(const operation& o, int to, std::size_t cost);

// Tells the member that what it asked about has been taken. Legal in handlers.
void report_taken(engine& e, team_state& t, int member);

}  // namespace ramjet::detail
