// SPDX-License-Identifier: Apache-2.0
// Waiting: on messages, on the clock, on memory that others write; and nothing else ends a wait.
#include <atomic>
#include <chrono>

#include "spmd.hpp"

namespace {

using clock = std::chrono::steady_clock;

double milliseconds_since(clock::time_point start) {
  return std::chrono::duration<double, std::milli>(clock::now() - start).count();
}

// Two cores and many ranks: how late is too late.
double slack_ms() { return 200 + 20.0 * spmd::size(); }

// Whether one of many attempts is in time at all ranks. A rank may get no time during some of them,
// on a machine that others use; what is always late has no such excuse.
template <class Attempt>
bool is_in_time(Attempt&& attempt) {
  for (int i = 0; i < 20; ++i) {
    bool in_time = attempt();
    EXPECT_OK(ramjet::all_reduce(in_time, [](bool a, bool b) { return a && b; }));
    if (in_time) return true;
  }
  return false;
}

}  // namespace

SPMD_CASE(waiting, a_deadline_passes) {
  for (unsigned ms : {0u, 1u, 5u, 30u, 120u}) {
    EXPECT(is_in_time([ms] {
      const auto start = clock::now();
      EXPECT(ramjet::wait_for(ms, [] { return false; }) == ramjet::status::timed_out);
      const double took = milliseconds_since(start);
      EXPECT(took >= ms);
      return took < ms + slack_ms();
    }));
  }
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
    EXPECT(is_in_time([&expected] {
      EXPECT_OK(ramjet::barrier());
      if (spmd::rank() == 0) {
        pause_for(40);
        for (int to = 0; to < spmd::size(); ++to) EXPECT_OK(ramjet::request<on_arrival>(to));
      }
      ++expected;
      const auto start = clock::now();
      EXPECT_OK(ramjet::wait_for(30'000, [&expected] { return arrived == expected; }));
      return milliseconds_since(start) < 40 + slack_ms();
    }));
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
  unsigned expected = 0;
  EXPECT(is_in_time([&] {
    EXPECT_OK(ramjet::barrier());
    ++expected;
    if (spmd::rank() == 0) {
      pause_for(30);
      for (int to = 0; to < spmd::size(); ++to)
        ramjet::write(ramjet::global_ptr<unsigned>(all[to]), expected);
    }
    const auto start = clock::now();
    EXPECT_OK(ramjet::wait_for(
        30'000, [&] { return __atomic_load_n(mine, __ATOMIC_ACQUIRE) == expected; }));
    return milliseconds_since(start) < 30 + 1000 + slack_ms();
  }));
  ramjet::segment_free(word.data());
}

namespace {
unsigned noise;
void on_noise() { ++noise; }
}  // namespace

// Messages keep coming, and the deadline passes all the same.
SPMD_CASE(waiting, a_deadline_passes_in_the_middle_of_traffic) {
  EXPECT(is_in_time([] {
    const auto start = clock::now();
    bool over = false;
    while (!over) {
      EXPECT_OK(ramjet::request<on_noise>(spmd::right()));
      over = milliseconds_since(start) > 30;
    }
    const auto before = clock::now();
    unsigned handed_on = 0;
    const ramjet::status s = ramjet::wait_for(30, [&] {
      // One more message to myself at every look: there is always something to do.
      if (ramjet::try_request<on_noise>(spmd::rank()) == ramjet::status::ok) ++handed_on;
      return milliseconds_since(before) > 20'000;
    });
    EXPECT(s == ramjet::status::timed_out);
    const bool in_time = milliseconds_since(before) < 30 + slack_ms();
    EXPECT_OK(ramjet::quiesce());
    return in_time;
  }));
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
