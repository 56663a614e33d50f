// SPDX-License-Identifier: Apache-2.0
#include "report/stall_watch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "../region_offset.hpp"
#include "base/clock.hpp"
#include "launch/memory.hpp"
#include "report/snapshot.hpp"

namespace {

using ramjet::detail::pair_counters;
using ramjet::detail::port_line;
using ramjet::launcher::job_memory;
using ramjet::node::failure_policy;
using ramjet::node::geometry;
using ramjet::node::make_geometry;
using ramjet::node::rank_state;
using ramjet::report::job_snapshot;
using ramjet::report::stall_watch;

constexpr std::uint64_t kSecond = 1'000'000'000;

// A job of two ranks that have joined; time is what the test says.
class StallWatch : public testing::Test {
 protected:
  StallWatch() {
    EXPECT_FALSE(memory.create(2, 1, failure_policy::abort, 100));
    layout = make_geometry(2, 1, 1 << 20);
    EXPECT_EQ(::ftruncate(memory.node(0).descriptor(), off_t(layout.total_bytes)), 0);
    memory.node(0).the_board().layout = layout;
    memory.node(0).the_board().layout_state.store(2, std::memory_order_release);
    for (unsigned rank : {0u, 1u})
      memory.node(0).line(rank).state = std::uint32_t(rank_state::joined);
  }
  void rank_0_waits_for(std::uint64_t ns) {
    port_line line{};
    line.state = ramjet::detail::kOpen;
    line.waiting = ns != 0;
    line.wait_since_ns = ramjet::base::now_ns() - ns;
    ASSERT_EQ(::pwrite(memory.node(0).descriptor(), static_cast<const void*>(&line), sizeof line,
                       off_t(ports_offset(layout))),
              ssize_t(sizeof line));
  }
  // Rank 0's counters with rank 1.
  void rank_0_has(const pair_counters& counters) {
    ASSERT_EQ(::pwrite(memory.node(0).descriptor(), static_cast<const void*>(&counters),
                       sizeof counters, off_t(counters_offset(layout) + sizeof(pair_counters))),
              ssize_t(sizeof counters));
  }
  std::uint64_t at(double second) const { return start + std::uint64_t(second * double(kSecond)); }
  // Looks whenever it is due, and at this time last; whether a standstill was to be reported.
  bool look_until(double second) {
    bool stands = false;
    while (watch.next_check_ns() < at(second))
      stands = watch.check(memory.readable(), watch.next_check_ns()) || stands;
    return watch.check(memory.readable(), at(second)) || stands;
  }

  job_memory memory;
  geometry layout;
  stall_watch watch{4 * kSecond};
  std::uint64_t start = ramjet::base::now_ns();
};

TEST_F(StallWatch, NeverLooksWithoutPatience) { EXPECT_EQ(stall_watch(0).next_check_ns(), 0u); }

TEST_F(StallWatch, ReportsAStandstillOnce) {
  rank_0_waits_for(100 * kSecond);
  EXPECT_FALSE(look_until(0));
  EXPECT_FALSE(look_until(3.9));
  EXPECT_TRUE(look_until(4));
  EXPECT_FALSE(look_until(5));
  EXPECT_FALSE(look_until(50));
}

TEST_F(StallWatch, TimeInWhichItWasStoppedDoesNotCount) {
  rank_0_waits_for(100 * kSecond);
  EXPECT_FALSE(look_until(0));
  EXPECT_FALSE(look_until(3));
  const std::uint64_t due_ns = watch.next_check_ns();
  EXPECT_FALSE(watch.check(memory.readable(), due_ns + 50 * kSecond));
  const double gone_on = double(due_ns - start) / kSecond + 50;
  EXPECT_FALSE(look_until(gone_on + 0.4));
  EXPECT_TRUE(look_until(gone_on + 0.6));
}

TEST_F(StallWatch, AnotherStandstillIsReportedAgain) {
  rank_0_waits_for(100 * kSecond);
  EXPECT_FALSE(look_until(0));
  EXPECT_TRUE(look_until(4));
  memory.node(0).line(1).progress = 1;
  EXPECT_FALSE(look_until(5));
  EXPECT_FALSE(look_until(8));
  EXPECT_TRUE(look_until(9));
}

TEST_F(StallWatch, MovingCountersAreNoStandstill) {
  rank_0_waits_for(100 * kSecond);
  for (unsigned second = 0; second < 20; second += 2) {
    memory.node(0).line(1).progress = second;
    EXPECT_FALSE(look_until(second));
  }
}

TEST_F(StallWatch, MessagesAreNoStandstill) {
  rank_0_waits_for(100 * kSecond);
  for (unsigned second = 0; second < 20; second += 2) {
    pair_counters counters{};
    counters.requests_sent = second;
    rank_0_has(counters);
    EXPECT_FALSE(look_until(second));
  }
}

TEST_F(StallWatch, ComparisonsOfCallsAreNoMessages) {
  rank_0_waits_for(100 * kSecond);
  for (unsigned second = 0; second <= 4; ++second) {
    pair_counters counters{};
    counters.requests_sent = counters.checks_sent = second;
    counters.requests_received = counters.requests_handled = counters.checks_received = second;
    rank_0_has(counters);
    EXPECT_EQ(look_until(second), second == 4);
  }
  job_snapshot s = ramjet::report::read_waits(memory.readable());
  ramjet::report::read_lanes(memory.readable(), s);
  EXPECT_TRUE(s.lanes.empty());
}

TEST_F(StallWatch, NobodyWaitsNobodyHangs) {
  rank_0_waits_for(0);
  EXPECT_FALSE(look_until(0));
  EXPECT_FALSE(look_until(20));
}

TEST_F(StallWatch, AWaitMustLastToo) {
  rank_0_waits_for(kSecond);
  EXPECT_FALSE(look_until(0));
  EXPECT_FALSE(look_until(20));
}

TEST_F(StallWatch, LooksOftenEnough) {
  EXPECT_LE(watch.next_check_ns() - start, kSecond + kSecond / 10);
  look_until(0);
  EXPECT_LE(watch.next_check_ns() - start, kSecond);
}

}  // namespace
