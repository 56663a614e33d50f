// SPDX-License-Identifier: Apache-2.0
// What a wait learns from how long its yields take.
#include "base/backoff.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/clock.hpp"

using ramjet::base::cpu_usage;
using ramjet::base::idle_turns;
using ramjet::base::kProcessorLines;
using ramjet::base::learn_from_sleep;
using ramjet::base::learn_from_yield;
using ramjet::base::leave_processor;
using ramjet::base::processor_turns;
using ramjet::base::running_on;
using ramjet::base::sleeps_for_yield;
using ramjet::base::spin_policy;
using ramjet::base::take_processor;
using ramjet::base::time_before_sleep_ns;
using ramjet::base::yield_and_learn;
using ramjet::base::yield_in_wait;

namespace {

constexpr std::uint64_t kShortNs = 300, kSomebodyRanNs = 40'000, kTurnNs = 4'000'000;

// How often in a row a sleep takes a yield's place from now on.
unsigned sleeps(spin_policy& policy) {
  unsigned count = 0;
  while (sleeps_for_yield(policy)) ++count;
  return count;
}

}  // namespace

TEST(Patience, SpinsLessWhenSomebodyRanAndMoreWhenNobodyDid) {
  spin_policy policy;
  learn_from_yield(policy, kSomebodyRanNs);
  EXPECT_EQ(policy.budget, 4u);
  for (int i = 0; i < 31; ++i) learn_from_yield(policy, kShortNs);
  EXPECT_EQ(policy.budget, 4u);
  learn_from_yield(policy, kShortNs);
  EXPECT_EQ(policy.budget, 16u);
  for (int i = 0; i < 1000; ++i) learn_from_yield(policy, kShortNs);
  EXPECT_EQ(policy.budget, 4096u);
}

TEST(Patience, YieldsToThoseWhoYield) {
  spin_policy policy;
  for (int i = 0; i < 100; ++i) learn_from_yield(policy, kSomebodyRanNs);
  EXPECT_EQ(sleeps(policy), 0u);
}

TEST(Patience, SleepsWhereAYieldLastsAWholeTurn) {
  spin_policy policy;
  for (unsigned expected : {16u, 32u, 64u, 128u, 256u, 512u, 1024u, 1024u}) {
    learn_from_yield(policy, kTurnNs);
    EXPECT_EQ(sleeps(policy), expected);
  }
  learn_from_yield(policy, kSomebodyRanNs);  // they are gone
  EXPECT_EQ(sleeps(policy), 0u);
  learn_from_yield(policy, kTurnNs);
  EXPECT_EQ(sleeps(policy), 16u);
}

TEST(Patience, TurnsOfManyRanksAreNoProgramThatComputes) {
  spin_policy policy;
  learn_from_yield(policy, kTurnNs, {.count = 40});
  EXPECT_EQ(sleeps(policy), 0u);
  learn_from_yield(policy, kTurnNs, {.count = 4});
  EXPECT_EQ(sleeps(policy), 16u);
}

TEST(Patience, ARankThatComputesIsNoProgramOfOthers) {
  spin_policy policy;
  learn_from_yield(policy, kTurnNs, {.count = 1, .spent_ns = kTurnNs - kSomebodyRanNs});
  EXPECT_EQ(sleeps(policy), 0u);
  learn_from_yield(policy, kTurnNs, {.goes_on = true});
  EXPECT_EQ(sleeps(policy), 0u);
  learn_from_yield(policy, kTurnNs, {.count = 1, .spent_ns = kTurnNs / 2});
  EXPECT_EQ(sleeps(policy), 16u);
}

TEST(Patience, AProcessorThatStoodStillRanNoProgram) {
  spin_policy policy;
  learn_from_yield(policy, kTurnNs, {.stood_still = true});
  EXPECT_EQ(sleeps(policy), 0u);
}

// A sleep that takes long, as among many processors that it interrupts, is put off.
TEST(Patience, AWaitYieldsForSomeTimesWhatASleepCosts) {
  spin_policy policy;
  const auto least_ns = [&policy] {
    idle_turns turns;
    const std::uint64_t begin_ns = ramjet::base::now_ns();
    while (!yield_in_wait(policy, turns)) {
    }
    return ramjet::base::now_ns() - begin_ns;
  };
  EXPECT_GE(least_ns(), 200'000u);
  learn_from_sleep(policy, 500'000);
  EXPECT_GE(least_ns(), 2'000'000u);
  learn_from_sleep(policy, 1'000'000'000);
  EXPECT_EQ(time_before_sleep_ns(policy), 10'000'000u);
  for (int i = 0; i < 200; ++i) learn_from_sleep(policy, 1000);
  EXPECT_EQ(time_before_sleep_ns(policy), 200'000u);
}

TEST(Patience, ThreadsSayWhereTheyAreAndCountTheirTurns) {
  std::vector<processor_turns> processors(kProcessorLines);
  std::vector<running_on> threads(2);
  cpu_usage board{processors.data(), threads.data(), 2, 1};
  const auto counted = [&processors] {
    std::uint64_t sum = 0;
    for (const processor_turns& line : processors) sum += line.count;
    return sum;
  };
  spin_policy policy;
  policy.turns = &board;
  take_processor(policy);
  EXPECT_NE(threads[1].line, 0u);
  for (int i = 0; i < 3; ++i) yield_and_learn(policy);
  EXPECT_EQ(counted(), 4u);
  learn_from_yield(policy, kTurnNs);
  yield_and_learn(policy);  // sleeps
  EXPECT_EQ(counted(), 5u);
  EXPECT_NE(threads[1].line, 0u);
  leave_processor(policy);
  EXPECT_EQ(threads[1].line, 0u);
  EXPECT_EQ(threads[0].line, 0u);
}

TEST(Patience, ASleepInsteadOfAYieldCountsAsATurnOfTheWait) {
  spin_policy policy;
  learn_from_yield(policy, kTurnNs);
  idle_turns turns;
  for (int i = 0; i < 15; ++i) EXPECT_FALSE(yield_in_wait(policy, turns));
  EXPECT_EQ(turns.yields, 15u);
  EXPECT_EQ(policy.sleeps_due, 1u);
}
