// SPDX-License-Identifier: Apache-2.0
#include "base/patience.hpp"

#include <sched.h>

#include <algorithm>

#include "base/clock.hpp"

namespace ramjet::base {

namespace {
constexpr unsigned kBudgetMin = 4, kBudgetMax = 4096;
constexpr unsigned kShortYieldsToGrow = 32;
constexpr std::uint64_t kShortYieldNs = 1500;  // longer: somebody else ran meanwhile
}  // namespace

void yield_and_learn(spin_policy& policy) noexcept {
  const std::uint64_t before = now_ns();
  sched_yield();
  if (now_ns() - before > kShortYieldNs) {
    policy.budget = kBudgetMin;
    policy.short_yields = 0;
  } else if (++policy.short_yields >= kShortYieldsToGrow) {
    policy.short_yields = 0;
    policy.budget = std::min(policy.budget * 4, kBudgetMax);
  }
}

}  // namespace ramjet::base
