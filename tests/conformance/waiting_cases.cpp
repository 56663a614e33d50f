// SPDX-License-Identifier: Apache-2.0
// Waiting: on messages, on the clock, on memory that others write; and nothing else ends a wait.
#include <algorithm>
#include <numeric>
#include <string_view>

#include "base/backoff.hpp"
#include "node/region.hpp"
#include "spmd.hpp"

namespace {

using spmd::stopwatch;

// Two cores and many ranks: how late is too late, besides what a rank waited for a processor.
double slack_ms() { return 200 + 20.0 * spmd::size(); }

// What all ranks together waited for a processor meanwhile: what an answer that needs several of
// them may be late by.
double all_disturbed(const stopwatch& since) {
  double sum = since.disturbed();
  EXPECT_OK(ramjet::all_reduce(sum, [](double a, double b) { return a + b; }));
  return sum;
}

// What the ranks of this machine have yielded and slept, by processor (base/backoff.hpp).
std::uint64_t turns_of_machine() {
  const std::vector<ramjet::node::region*> regions = ramjet::node::registered_regions();
  const auto counts = std::ranges::find(regions, std::string_view("am.turns"),
                                        [](const auto* r) { return std::string_view(r->name()); });
  EXPECT(counts != regions.end());
  const auto* lines = (*counts)->as<ramjet::base::processor_turns>();
  return std::accumulate(lines, lines + ramjet::base::kProcessorLines, std::uint64_t{0},
                         [](std::uint64_t sum, const auto& line) { return sum + line.count; });
}

}  // namespace

SPMD_CASE(waiting, turns_on_a_processor_are_counted) {
  const std::uint64_t before = turns_of_machine();
  EXPECT_OK(ramjet::wait_until([before] { return turns_of_machine() != before; }));
}

SPMD_CASE(waiting, a_deadline_passes) {
  for (unsigned ms : {0u, 1u, 5u, 30u, 120u}) {
    const stopwatch took;
    EXPECT(ramjet::wait_for(ms, [] { return false; }) == ramjet::status::timed_out);
    EXPECT(took.ms() >= ms);
    EXPECT_BELOW(took.undisturbed(), ms + slack_ms());
  }
}

namespace {
bool called;
void on_called() { called = true; }
}  // namespace

SPMD_CASE(waiting, a_deadline_may_be_beyond_all_time) {
  called = false;
  EXPECT_OK(ramjet::barrier());
  EXPECT_OK(ramjet::request<on_called>(spmd::right()));
  EXPECT_OK(ramjet::wait_for(UINT64_MAX, [] { return called; }));
  EXPECT_OK(ramjet::barrier());
}

SPMD_CASE(waiting, what_holds_already_takes_no_time) {
  EXPECT_OK(ramjet::wait_for(0, [] { return true; }));
  EXPECT_OK(ramjet::wait_until([] { return true; }));
}

namespace {
unsigned arrived;
void on_arrival() { ++arrived; }
void pause_for(unsigned ms) {
  static_cast<void>(ramjet::wait_for(ms, [] { return false; }, "a pause"));
}
}  // namespace

// The receiver is asleep when the message comes, and is woken by it, not by its next look.
SPMD_CASE(waiting, a_message_wakes_a_sleeper) {
  unsigned expected = 0;
  for (unsigned round = 0; round < 6; ++round) {
    EXPECT_OK(ramjet::barrier());
    const stopwatch took;
    if (spmd::rank() == 0) {
      pause_for(40);
      for (int to = 0; to < spmd::size(); ++to) EXPECT_OK(ramjet::request<on_arrival>(to));
    }
    ++expected;
    EXPECT_OK(ramjet::wait_for(30'000, [&expected] { return arrived == expected; }));
    const double ms = took.ms();
    EXPECT_BELOW(ms - all_disturbed(took), 40 + slack_ms());
  }
}

// Memory that another rank writes, where they share it without a message, is looked at every 100 ms
// at worst.
SPMD_CASE(waiting, on_memory_that_others_write) {
  std::span<unsigned> word = ramjet::segment_array<unsigned>(1);
  unsigned* all[1024] = {};
  unsigned* mine = word.data();
  EXPECT_OK(ramjet::gather(mine, all));
  EXPECT_OK(ramjet::barrier());
  EXPECT_OK(ramjet::barrier());
  const stopwatch took;
  if (spmd::rank() == 0) {
    pause_for(30);
    for (int to = 0; to < spmd::size(); ++to)
      ramjet::write(ramjet::global_ptr<unsigned>(all[to]), 1u);
  }
  EXPECT_OK(ramjet::wait_for(30'000, [&] { return __atomic_load_n(mine, __ATOMIC_ACQUIRE) == 1; }));
  const double ms = took.ms();
  EXPECT_BELOW(ms - all_disturbed(took), 30 + 1000 + slack_ms());
  ramjet::segment_free(word.data());
}

namespace {
unsigned noise;
void on_noise() { ++noise; }
}  // namespace

// Messages keep coming, and the deadline passes all the same.
SPMD_CASE(waiting, a_deadline_passes_in_the_middle_of_traffic) {
  const stopwatch sending;
  while (sending.ms() < 30) EXPECT_OK(ramjet::request<on_noise>(spmd::right()));
  const stopwatch took;
  unsigned sent = 0;
  const ramjet::status s = ramjet::wait_for(30, [&] {
    // One more message to this rank at every test of the condition: there is always work.
    if (ramjet::try_request<on_noise>(spmd::rank()) == ramjet::status::ok) ++sent;
    return took.ms() > 20'000;
  });
  EXPECT(s == ramjet::status::timed_out);
  EXPECT_BELOW(took.undisturbed(), 30 + slack_ms());
  EXPECT(sent != 0);
  EXPECT_OK(ramjet::quiesce());
}

namespace {
unsigned polled;
void on_polled() { ++polled; }
}  // namespace

SPMD_CASE(waiting, poll_says_how_many_handlers_ran) {
  constexpr unsigned kCount = 20;
  EXPECT_OK(ramjet::barrier());
  for (unsigned i = 0; i < kCount; ++i) EXPECT_OK(ramjet::request<on_polled>(spmd::rank()));
  unsigned said = 0;
  while (polled < kCount) {
    const unsigned before = polled;
    const unsigned ran = ramjet::poll();
    EXPECT(ran >= polled - before);
    said += ran;
  }
  EXPECT(said >= kCount);
}
