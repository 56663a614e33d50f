// SPDX-License-Identifier: Apache-2.0
// How a wait uses the processor while nothing comes: it yields, learns from how long that takes how
// long to spin, and sleeps in the end.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ramjet/detail/base/wait_loop.hpp"

namespace ramjet::base {

using ramjet::detail::idle_turns;
using ramjet::detail::spin_policy;

// Yields the processor. A yield that took long means that others share this core: spin less from
// now on. Many short ones: spin more. One that took a whole turn of a process that computes is not
// tried again for a while: a thread that yields is behind all others then, one that sleeps runs
// when it is woken. Until then this sleeps for a moment instead.
void yield_and_learn(spin_policy& policy) noexcept;

// With that many ranks on too few processors, a yield among ranks that sleep lasts until all have
// slept and been woken. It must not pass for a program that computes: they would go on sleeping.
void set_ranks_that_yield(spin_policy& policy, unsigned ranks) noexcept;

// What a yield that took `took_ns` says.
void learn_from_yield(spin_policy& policy, std::uint64_t took_ns) noexcept;

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
