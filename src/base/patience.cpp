// SPDX-License-Identifier: Apache-2.0
#include "base/patience.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "base/clock.hpp"
#include "base/machine_profile.hpp"

namespace ramjet::base {

namespace {
constexpr unsigned kBudgetMin = 4, kBudgetMax = 4096;
constexpr unsigned kShortYieldsToGrow = 32;
// A scheduler's turn is some milliseconds. Ranks that yield pass a core on within microseconds, but
// one that goes to sleep and is woken holds up all others of its machine for up to this long.
constexpr unsigned kSleepCostNs = 100'000;
constexpr long kNapNs = 20'000;
constexpr unsigned kSleepsDueMin = 16, kSleepsDueMax = 1024;

void nap() noexcept {
  const timespec time{0, kNapNs};
  nanosleep(&time, nullptr);
}
}  // namespace

void set_ranks_that_yield(spin_policy& policy, unsigned ranks) noexcept {
  policy.whole_turn_ns = std::max(policy.whole_turn_ns, ranks * kSleepCostNs);
}

void learn_from_yield(spin_policy& policy, std::uint64_t took_ns) noexcept {
  if (took_ns > policy.whole_turn_ns) {
    policy.sleeps_due = policy.sleeps_due_next;
    policy.sleeps_due_next = std::min(policy.sleeps_due_next * 2, kSleepsDueMax);
  } else {
    policy.sleeps_due_next = kSleepsDueMin;
  }
  if (took_ns > machine(figure::short_yield_ns)) {  // somebody else ran meanwhile
    policy.budget = kBudgetMin;
    policy.short_yields = 0;
  } else if (++policy.short_yields >= kShortYieldsToGrow) {
    policy.short_yields = 0;
    policy.budget = std::min(policy.budget * 4, kBudgetMax);
  }
}

void yield_and_learn(spin_policy& policy) noexcept {
  if (sleeps_for_yield(policy)) return nap();
  const std::uint64_t before = now_ns();
  sched_yield();
  learn_from_yield(policy, now_ns() - before);
}

}  // namespace ramjet::base
