// SPDX-License-Identifier: Apache-2.0
// How a wait uses the processor while nothing comes: it yields, learns from how long that takes how
// long to spin, and sleeps in the end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "ramjet/detail/base/wait_loop.hpp"

namespace ramjet::base {

using ramjet::detail::idle_turns;
using ramjet::detail::spin_policy;

// How often ranks got a processor and waited on it again: whether a yield was long because one
// process computed, or because many ranks had their turns. Lines of memory that the ranks of a
// machine share, zero at first; a processor's is found by its number modulo kProcessorLines. Two
// ranks that write at once lose a turn, which does no harm.
struct alignas(64) processor_turns {
  std::atomic<std::uint32_t> count;  // publishes nothing
};
inline constexpr unsigned kProcessorLines = 256;

// Counts a turn of this thread on the processor where it runs: it has just yielded or slept.
void count_turn(spin_policy& policy) noexcept;

// Yields the processor. A yield that took long means that others share this core: spin less from
// now on. Many short ones: spin more. One that took a whole turn of a process that computes is not
// tried again for a while: a thread that yields is behind all others then, one that sleeps runs
// when it is woken. Until then this sleeps for a moment instead.
void yield_and_learn(spin_policy& policy) noexcept;

// What a yield says that took `took_ns`, in which that many turns of other ranks were counted.
void learn_from_yield(spin_policy& policy, std::uint64_t took_ns, unsigned turns = 0) noexcept;

// Whether a wait had better sleep at once, for a yield would last too long. Counts as one of
// sleeps_due.
inline bool sleeps_for_yield(spin_policy& policy) noexcept {
  if (policy.sleeps_due == 0) [[likely]]
    return false;
  --policy.sleeps_due;
  return true;
}

// Counts in `tries` a failure of something that a program tries until it succeeds; yields after
// kTriesMin of them, or after `policy.budget` if that is more.
inline void yield_after_tries(spin_policy& policy, unsigned& tries) noexcept {
  constexpr unsigned kTriesMin = 64;
  if (++tries < std::max(kTriesMin, policy.budget)) return;
  tries = 0;
  yield_and_learn(policy);
}

// Yields as a turn of a wait. Whether that has yielded so often that it is time to sleep.
inline bool yield_in_wait(spin_policy& policy, idle_turns& turns) noexcept {
  yield_and_learn(policy);
  return ++turns.yields >= (policy.budget <= 64 ? 20u : 256u);
}

// How long a wait's next sleep lasts: `first`, and each time twice as long, up to `most`.
inline std::uint64_t next_sleep_ns(idle_turns& turns, std::uint64_t first,
                                   std::uint64_t most) noexcept {
  return std::min(most, first << std::min(turns.sleeps++, 10u));
}

}  // namespace ramjet::base
