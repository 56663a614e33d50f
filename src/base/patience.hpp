// SPDX-License-Identifier: Apache-2.0
// How long to spin before somebody else may have the core: learnt from how long yields take.
#pragma once

#include <cstdint>

namespace ramjet::base {

// Yields the processor. One that took long means that others share this core: spin less from now
// on. Many short ones: spin more.
void yield_and_learn(unsigned& spin_budget, unsigned& short_yields) noexcept;

// How many fruitless yields come before a sleep.
constexpr unsigned patience(unsigned spin_budget) noexcept { return spin_budget <= 64 ? 20 : 256; }

}  // namespace ramjet::base
