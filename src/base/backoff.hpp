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

// Whether a yield was long because a process computed that is none of the job's. Ranks note in
// memory that those of a machine share, zero at first, how often and how long they had each
// processor, and where each is that has one. Only how to wait depends on it: two ranks that write a
// count at once lose a turn, and a rank that was killed computes for ever, where it was.
struct alignas(64) processor_turns {
  std::atomic<std::uint64_t> count, spent_ns;  // since the job began; of turns that have ended
};
struct alignas(64) running_on {
  // 1 + the processor's line, while this thread computes, or was interrupted in that; 0 while it
  // yields or sleeps.
  std::atomic<std::uint32_t> line;
};
inline constexpr unsigned kProcessorLines = 256;  // a processor's is its number modulo this

struct cpu_usage {
  processor_turns* processors = nullptr;  // [kProcessorLines]
  running_on* threads = nullptr;  // [threads_count], of all engines of the job
  unsigned threads_count = 0;
  unsigned own = 0;  // of these
  // The line of the processor that this thread got last, and when.
  unsigned taken = 0;
  std::uint64_t taken_ns = 0;
};

// What other ranks had of a processor in some time.
struct turns_seen {
  unsigned count = 0;
  std::uint64_t spent_ns = 0;
  bool goes_on = false;  // one was interrupted there while it computed
  // Nobody had it: the processor itself stood still, as a virtual one does whose turn is over.
  bool stood_still = false;
};

// Around a yield and a sleep, and when an engine opens (take) and closes (leave); in turns, take
// first.
void leave_processor(spin_policy& policy) noexcept;
void take_processor(spin_policy& policy) noexcept;

// Yields the processor. A yield that took long means that others share this core: spin less from
// now on. Many short ones: spin more. One that took a whole turn of a process that computes is not
// tried again for a while: a thread that yields is behind all others then, one that sleeps runs
// when it is woken. Until then this sleeps for a moment instead.
// Returns when it ended.
std::uint64_t yield_and_learn(spin_policy& policy) noexcept;

// What a yield says that took `took_ns`, with those turns of other ranks in it.
void learn_from_yield(spin_policy& policy, std::uint64_t took_ns,
                      const turns_seen& turns = {}) noexcept;

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

// To go to sleep took `took_ns`, without the sleep.
inline void learn_from_sleep(spin_policy& policy, std::uint64_t took_ns) noexcept {
  policy.sleep_cost_ns = std::max(took_ns, policy.sleep_cost_ns - policy.sleep_cost_ns / 8);
}

// How long a wait yields at least before it sleeps: some times of what the sleep costs, and the
// wake. Who sleeps sooner is woken later than those who wait for him are ready to wait: they sleep
// too, and each step of a barrier costs all of them a sleep and a wake.
inline std::uint64_t time_before_sleep_ns(const spin_policy& policy) noexcept {
  constexpr std::uint64_t kMin = 200'000, kMax = 10'000'000;
  return std::clamp(4 * policy.sleep_cost_ns, kMin, kMax);
}

// Yields as a turn of a wait. Whether that has yielded so often and so long that it is time to
// sleep.
inline bool yield_in_wait(spin_policy& policy, idle_turns& turns) noexcept {
  const std::uint64_t now_ns = yield_and_learn(policy);
  if (turns.yields++ == 0) turns.first_yield_ns = now_ns;
  return turns.yields >= (policy.budget <= 64 ? 20u : 256u) &&
         now_ns - turns.first_yield_ns >= time_before_sleep_ns(policy);
}

// How long a wait's next sleep lasts: `first`, and each time twice as long, up to `most`.
inline std::uint64_t next_sleep_ns(idle_turns& turns, std::uint64_t first,
                                   std::uint64_t most) noexcept {
  return std::min(most, first << std::min(turns.sleeps++, 10u));
}

}  // namespace ramjet::base
