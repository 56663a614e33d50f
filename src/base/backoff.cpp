// SPDX-License-Identifier: Apache-2.0
#include "base/backoff.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <utility>

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

// Of all ranks so far.
turns_seen turns_at(const cpu_usage* board, unsigned line) noexcept {
  if (board == nullptr) return {};
  const processor_turns& there = board->processors[line];
  return {.count = unsigned(there.count.load(std::memory_order_relaxed)),
          .spent_ns = there.spent_ns.load(std::memory_order_relaxed)};
}

void add(std::atomic<std::uint64_t>& sum, std::uint64_t value) noexcept {
  sum.store(sum.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
}

// Whether another rank has that processor, or would if this one did not run there.
bool another_computes_at(const cpu_usage* board, unsigned line) noexcept {
  if (board == nullptr) return false;
  for (unsigned i = 0; i < board->threads_count; ++i) {
    const bool is_there = board->threads[i].line.load(std::memory_order_relaxed) == line + 1;
    if (is_there && i != board->own) return true;
  }
  return false;
}

// The line of the processor that this thread had; any where nobody counts.
unsigned leave_at(cpu_usage* board, std::uint64_t now_ns) noexcept {
  if (board == nullptr) return 0;
  board->threads[board->own].line.store(0, std::memory_order_relaxed);
  add(board->processors[board->taken].spent_ns, now_ns - board->taken_ns);
  return board->taken;
}

void take_at(cpu_usage* board, std::uint64_t now_ns) noexcept {
  if (board == nullptr) return;
  board->taken = unsigned(sched_getcpu()) % kProcessorLines;
  board->taken_ns = now_ns;
  board->threads[board->own].line.store(board->taken + 1, std::memory_order_relaxed);
  add(board->processors[board->taken].count, 1);
}

void learn_from_whole_turn(spin_policy& policy) noexcept {
  policy.sleeps_due = policy.sleeps_due_next;
  policy.sleeps_due_next = std::min(policy.sleeps_due_next * 2, kSleepsDueMax);
}

// After a long yield. The system counts how often it gave the thread's processor to another; where
// a yield does that as a rule, the long one did. A first long yield says nothing if many came
// before it that did not.
bool processor_stood_still(spin_policy& policy) noexcept {
  rusage used{};
  if (getrusage(RUSAGE_THREAD, &used) != 0) return false;
  const auto switches = std::uint64_t(used.ru_nivcsw);
  const std::uint64_t yields = std::exchange(policy.yields, 0);
  return 2 * (switches - std::exchange(policy.switches, switches)) < yields;
}
}  // namespace

void leave_processor(spin_policy& policy) noexcept { leave_at(policy.turns, now_ns()); }
void take_processor(spin_policy& policy) noexcept { take_at(policy.turns, now_ns()); }

void learn_from_yield(spin_policy& policy, std::uint64_t took_ns,
                      const turns_seen& turns) noexcept {
  const std::uint64_t others_ns = took_ns - std::min(took_ns, turns.spent_ns);
  const bool is_whole_turn = others_ns > std::max(kWholeTurnNs, turns.count * kRankTurnNs);
  if (is_whole_turn && !turns.goes_on && !turns.stood_still)
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

std::uint64_t yield_and_learn(spin_policy& policy) noexcept {
  cpu_usage* const board = policy.turns;
  const std::uint64_t begin_ns = now_ns();
  const unsigned line = leave_at(board, begin_ns);
  if (sleeps_for_yield(policy)) {
    nap();
    const std::uint64_t end_ns = now_ns();
    take_at(board, end_ns);
    return end_ns;
  }
  const turns_seen before = turns_at(board, line);
  sched_yield();
  const std::uint64_t end_ns = now_ns(), took_ns = end_ns - begin_ns;
  ++policy.yields;
  if (took_ns <= kWholeTurnNs) {
    learn_from_yield(policy, took_ns);
  } else {
    turns_seen turns = turns_at(board, line);
    turns.count -= before.count;
    turns.spent_ns -= before.spent_ns;
    turns.goes_on = another_computes_at(board, line);
    turns.stood_still = processor_stood_still(policy);
    learn_from_yield(policy, took_ns, turns);
  }
  take_at(board, end_ns);
  return end_ns;
}

}  // namespace ramjet::base
