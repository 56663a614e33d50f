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
// Longer than both: a process that ran instead did not yield. A scheduler's turn is some
// milliseconds. Ranks that yield pass a core on within microseconds; ranks that go to sleep and are
// woken, within 0.1 ms.
constexpr std::uint64_t kWholeTurnNs = 1'000'000, kRankTurnNs = 250'000;
constexpr long kNapNs = 20'000;
constexpr unsigned kSleepsDueMin = 16, kSleepsDueMax = 1024;

void nap() noexcept {
  const timespec time{0, kNapNs};
  nanosleep(&time, nullptr);
}

// nullptr: turns are not counted.
processor_turns* turns_here(spin_policy& policy) noexcept {
  if (policy.turns == nullptr) return nullptr;
  return &policy.turns[unsigned(sched_getcpu()) % kProcessorLines];
}

std::uint32_t count_of(const processor_turns* t) noexcept {
  return t == nullptr ? 0 : t->count.load(std::memory_order_relaxed);
}

void add_turn(processor_turns* t) noexcept {
  if (t != nullptr) t->count.store(count_of(t) + 1, std::memory_order_relaxed);
}

void learn_from_whole_turn(spin_policy& policy) noexcept {
  policy.sleeps_due = policy.sleeps_due_next;
  policy.sleeps_due_next = std::min(policy.sleeps_due_next * 2, kSleepsDueMax);
}
}  // namespace

void count_turn(spin_policy& policy) noexcept { add_turn(turns_here(policy)); }

void learn_from_yield(spin_policy& policy, std::uint64_t took_ns, unsigned turns) noexcept {
  if (took_ns > std::max(kWholeTurnNs, turns * kRankTurnNs))
    learn_from_whole_turn(policy);
  else
    policy.sleeps_due_next = kSleepsDueMin;
  if (took_ns > machine(figure::short_yield_ns)) {  // somebody else ran meanwhile
    policy.budget = kBudgetMin;
    policy.short_yields = 0;
  } else if (++policy.short_yields >= kShortYieldsToGrow) {
    policy.short_yields = 0;
    policy.budget = std::min(policy.budget * 4, kBudgetMax);
  }
}

void yield_and_learn(spin_policy& policy) noexcept {
  // A thread that is moved meanwhile has waited for the turns where it was.
  processor_turns* const here = turns_here(policy);
  if (sleeps_for_yield(policy)) {
    nap();
  } else {
    const std::uint32_t turns = count_of(here);
    const std::uint64_t before = now_ns();
    sched_yield();
    learn_from_yield(policy, now_ns() - before, count_of(here) - turns);
  }
  add_turn(here);
}

}  // namespace ramjet::base
