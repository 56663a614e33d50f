// SPDX-License-Identifier: Apache-2.0
// Loops of a program's own that poll or try until something holds: where ranks share a processor
// they yield it, so that a step takes turns of the ranks, not of the clock of the system. The cases
// have all ranks run on one processor, and count how often a rank had to ask; a rank that never
// yields asks some hundred thousand times while the one that it waits for does not run.
#include "../harness/one_processor.hpp"
#include "spmd.hpp"

namespace {

constexpr std::uint64_t kAsksMax = 20'000;  // a step, on average

unsigned steps = 0;
void on_step() { ++steps; }

void expect_few(std::uint64_t asked, std::uint64_t rounds) { EXPECT(asked < kAsksMax * rounds); }

}  // namespace

SPMD_CASE(polling, loops_of_polls_yield) {
  const harness::on_one_processor here;
  EXPECT(here.holds());
  const auto rounds = unsigned(spmd::scaled(300, 20));
  steps = 0;
  std::uint64_t asked = 0;
  EXPECT_OK(ramjet::barrier());
  for (unsigned i = 1; i <= rounds; ++i) {
    ramjet::request<on_step>(spmd::right());
    for (; steps < i; ++asked) ramjet::poll();
  }
  expect_few(asked, rounds);
}

SPMD_CASE(polling, loops_of_barrier_tries_yield) {
  const harness::on_one_processor here;
  EXPECT(here.holds());
  const std::uint64_t rounds = spmd::scaled(300, 20);
  std::uint64_t asked = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    EXPECT_OK(ramjet::barrier_notify());
    while (ramjet::barrier_try() == ramjet::status::retry) ++asked;
  }
  expect_few(asked, rounds);
}

SPMD_CASE(polling, loops_of_queue_tries_yield) {
  const harness::on_one_processor here;
  EXPECT(here.holds());
  const auto rounds = int(spmd::scaled(200, 20));
  auto queue = ramjet::work_queue<int>::all_make(4);
  std::uint64_t asked = 0;
  for (int i = 0; i < rounds; ++i) {  // each rank's item goes once around its neighbour
    while (queue.try_push(spmd::right(), i) != ramjet::status::ok) ++asked;
    for (;; ++asked) {
      if (const auto item = queue.try_pop()) {
        EXPECT_EQUAL(*item, i);
        break;
      }
    }
    queue.finish();
  }
  expect_few(asked, std::uint64_t(rounds));
  EXPECT_OK(ramjet::barrier());
  queue.all_free();
}
