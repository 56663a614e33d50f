// SPDX-License-Identifier: Apache-2.0
// The loop of every wait, of engines and of workers: spin while a core is free, yield when others
// want it, sleep when nothing comes. What is waited for, and how to sleep, is the waiter's.
#pragma once

#include <cstdint>

#include "ramjet/detail/base/cpu.hpp"
#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet::base {
struct cpu_usage;  // base/backoff.hpp
}

namespace ramjet::detail {

// How long to spin before a yield, learnt from how long yields take (base/backoff.hpp). One for
// each engine or worker, used by its thread alone.
struct spin_policy {
  unsigned budget = 1024;     // turns without news before a yield
  unsigned short_yields = 0;  // in a row: nobody else wanted the processor
  // What the ranks of this machine do with its processors; nullptr: nobody tells.
  base::cpu_usage* turns = nullptr;
  // Set when a yield lasted a whole turn of a process that does not yield: the number of next
  // yields that a short sleep replaces, and the number after the next such yield.
  unsigned sleeps_due = 0;
  unsigned sleeps_due_next = 16;
  std::uint64_t sleep_cost_ns = 0;  // of going to sleep: the dearest lately
  // Yields since one last lasted so long, and how often the system had switched the thread by then.
  std::uint64_t yields = 0;
  std::uint64_t switches = 0;
};

// Of one wait: what it has done since news came last; sleeps, since it began.
struct idle_turns {
  unsigned spins = 0;  // since the last yield; < spin_policy::budget
  unsigned yields = 0;
  unsigned sleeps = 0;
  std::uint64_t first_yield_ns = 0;  // when the first of `yields` ended
};

// Until the waiter is done, in turns:
//   bool done()      whether the wait is over
//   bool progress()  takes what has come; whether anything had
//   status busy()    after progress
//   status idle()    after a budget of turns without progress: yields, or sleeps
// What busy and idle return ends the wait, unless it is ok.
template <class Waiter>
RAMJET_INLINE status wait_in_turns(Waiter& waiter, idle_turns& turns, const spin_policy& policy) {
  while (!waiter.done()) {
    status s = status::ok;
    if (waiter.progress()) {
      turns.spins = turns.yields = 0;
      s = waiter.busy();
    } else if (++turns.spins < policy.budget) [[likely]] {
      cpu_relax();
    } else {
      turns.spins = 0;
      s = waiter.idle();
    }
    if (s != status::ok) [[unlikely]]
      return s;
  }
  return status::ok;
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
