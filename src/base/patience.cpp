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

void yield_and_learn(unsigned& spin_budget, unsigned& short_yields) noexcept {
  const std::uint64_t before = now_ns();
  sched_yield();
  if (now_ns() - before > kShortYieldNs) {
    spin_budget = kBudgetMin;
    short_yields = 0;
  } else if (++short_yields >= kShortYieldsToGrow) {
    short_yields = 0;
    spin_budget = std::min(spin_budget * 4, kBudgetMax);
  }
}

}  // namespace ramjet::base
