// SPDX-License-Identifier: Apache-2.0
#include "launch/object.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "../region_offset.hpp"
#include "launch/memory.hpp"
#include "report/snapshot.hpp"

namespace {

using ramjet::detail::pair_counters;
using ramjet::detail::port_line;
using ramjet::launcher::job_memory;
using ramjet::node::board_bytes;
using ramjet::node::failure_policy;
using ramjet::node::geometry;
using ramjet::node::layout_defect;
using ramjet::node::make_geometry;
using ramjet::node::rank_state;
using ramjet::report::job_snapshot;
using ramjet::report::node_memory;

class Object : public testing::Test {
 protected:
  static constexpr unsigned kRanks = 3;
  Object() { EXPECT_FALSE(memory.create(kRanks, 1, failure_policy::abort, 100)); }

  // As the first rank that joins does.
  geometry lay_out(unsigned endpoints = 1) {
    const geometry g = make_geometry(kRanks, endpoints, 1 << 20);
    EXPECT_EQ(::ftruncate(object().descriptor(), off_t(g.total_bytes)), 0);
    object().the_board().layout = g;
    object().the_board().layout_state.store(2, std::memory_order_release);
    return g;
  }
  template <class T>
  void put(std::uint64_t offset, const T& value) {
    ASSERT_EQ(::pwrite(object().descriptor(), static_cast<const void*>(&value), sizeof value,
                       off_t(offset)),
              ssize_t(sizeof value));
  }

  const node_memory& object() const { return memory.node(0); }

  job_memory memory;
};

TEST_F(Object, HasTheDescriptorAskedFor) { EXPECT_GE(object().descriptor(), 100); }

TEST_F(Object, CannotShrink) {
  EXPECT_NE(::ftruncate(object().descriptor(), 1), 0);
  EXPECT_EQ(object().bytes(), board_bytes(kRanks));
}

TEST_F(Object, ReadsZerosBehindItsEnd) {
  std::byte bytes[64];
  std::memset(bytes, 1, sizeof bytes);
  object().read(object().bytes() - 32, bytes);
  for (std::byte b : bytes) EXPECT_EQ(b, std::byte{});
}

TEST_F(Object, HasNoLayoutBeforeTheRanksAgree) {
  geometry g;
  EXPECT_FALSE(object().read_layout(g));
  EXPECT_TRUE(read_waits(memory.readable()).ports.empty());
  lay_out();
  EXPECT_TRUE(object().read_layout(g));
  EXPECT_EQ(g.ports, kRanks);
}

TEST_F(Object, RefusesALayoutThatCannotBe) {
  const geometry good = lay_out();
  const std::uint64_t bytes = object().bytes();
  EXPECT_EQ(layout_defect(good, kRanks, bytes), nullptr);
  const auto defect_with = [&](auto change) {
    geometry g = good;
    change(g);
    return layout_defect(g, kRanks, bytes) != nullptr;
  };
  EXPECT_TRUE(defect_with([](geometry& g) { g.ranks = 2; }));
  EXPECT_TRUE(defect_with([](geometry& g) { g.endpoints = 0; }));
  EXPECT_TRUE(defect_with([](geometry& g) { g.endpoints = 1000; }));
  EXPECT_TRUE(defect_with([](geometry& g) { g.ports = 7; }));
  EXPECT_TRUE(defect_with([](geometry& g) { g.regions = 0; }));
  EXPECT_TRUE(defect_with([](geometry& g) { g.regions = ramjet::node::kRegionsMax + 1; }));
  for (unsigned i = 0; i < good.regions; ++i) {
    EXPECT_TRUE(defect_with([i](geometry& g) { g.table[i].offset = 0; }));
    EXPECT_TRUE(defect_with([i](geometry& g) { g.table[i].offset += 8; }));
    EXPECT_TRUE(
        defect_with([&](geometry& g) { g.table[i].bytes = bytes - g.table[i].offset + 1; }));
    EXPECT_TRUE(defect_with([i](geometry& g) { g.table[i].offset = ~std::uint64_t{4095}; }));
    EXPECT_TRUE(defect_with([i](geometry& g) { g.table[i].bytes = ~std::uint64_t{0}; }));
    EXPECT_TRUE(defect_with(
        [i](geometry& g) { std::memset(g.table[i].name, 'x', sizeof g.table[i].name); }));
  }
}

TEST_F(Object, ShowsWhoWaits) {
  const geometry g = lay_out(2);
  port_line line{};
  line.state = ramjet::detail::kOpen;
  line.waiting = 1;
  line.wait_target = 2;
  line.wait_since_ns = 42;
  std::memcpy(static_cast<void*>(line.wait_name), "bar\nrier", 8);
  put(ports_offset(g) + 3 * sizeof line, line);  // rank 1, endpoint 1
  object().line(1).state = std::uint32_t(rank_state::joined);
  const job_snapshot s = read_waits(memory.readable());
  ASSERT_EQ(s.ports.size(), 6u);
  EXPECT_EQ(s.longest_wait(0), nullptr);
  ASSERT_NE(s.longest_wait(1), nullptr);
  EXPECT_EQ(s.longest_wait(1)->call, "bar?rier");  // a rank can write anything there
  EXPECT_EQ(s.longest_wait(1)->target, 2);
  EXPECT_EQ(s.longest_wait(1)->since_ns, 42u);
  EXPECT_EQ(s.ranks[1].state, rank_state::joined);
}

TEST_F(Object, DoubtsATargetOutsideTheJob) {
  const geometry g = lay_out();
  port_line line{};
  line.state = ramjet::detail::kOpen;
  line.waiting = 1;
  line.wait_target = 99;
  put(ports_offset(g), line);
  EXPECT_EQ(read_waits(memory.readable()).longest_wait(0)->target, -1);
}

TEST_F(Object, IgnoresCountersOfAnotherLayoutThanThePorts) {
  lay_out(1);
  job_snapshot s = read_waits(memory.readable());
  const geometry g = lay_out(2);  // no honest rank changes it
  pair_counters sender{};
  sender.requests_sent = 1;
  put(counters_offset(g) + 5 * g.ports * sizeof sender, sender);  // of port 5, and there are 3
  read_lanes(memory.readable(), s);
  EXPECT_TRUE(s.lanes.empty());
}

TEST_F(Object, BringsTheCountersOfBothEndsTogether) {
  const geometry g = lay_out();
  const auto at = [&](unsigned owner, unsigned peer) {
    return counters_offset(g) + (owner * kRanks + peer) * sizeof(pair_counters);
  };
  pair_counters sender{}, receiver{};
  sender.requests_sent = 10;
  sender.chained = 1;
  receiver.requests_received = 8;
  receiver.requests_handled = 7;
  receiver.replies_sent = 5;
  put(at(0, 2), sender);
  put(at(2, 0), receiver);
  job_snapshot s = read_waits(memory.readable());
  read_lanes(memory.readable(), s);
  ASSERT_EQ(s.lanes.size(), 2u);
  EXPECT_EQ(s.lanes[0].from, 0u);
  EXPECT_EQ(s.lanes[0].to, 2u);
  EXPECT_EQ(s.lanes[0].in_flight(), 2u);
  EXPECT_EQ(s.lanes[0].in_handler(), 1u);
  EXPECT_EQ(s.lanes[0].chained, 1u);
  EXPECT_EQ(s.lanes[1].replies_sent, 5u);
  EXPECT_EQ(s.lanes[1].in_flight(), 5u);
  EXPECT_FALSE(s.moving);
}

TEST_F(Object, ActivityCountsEveryMessageAndCall) {
  const geometry g = lay_out();
  const std::uint64_t before = read_activity(memory.readable());
  pair_counters counters{};
  counters.replies_handled = 1;
  put(counters_offset(g) + 5 * sizeof counters, counters);
  EXPECT_EQ(read_activity(memory.readable()), before + 1);
  object().line(2).progress = 1;
  EXPECT_EQ(read_activity(memory.readable()), before + 2);
}

TEST_F(Object, TellsAFailure) {
  lay_out();
  memory.note_failure(1, 9, 0);
  EXPECT_EQ(object().the_board().failures.load(), 1u);
  EXPECT_EQ(object().the_board().first_failed.load(), 1);
  EXPECT_EQ(object().line(1).signal.load(), 9);
  EXPECT_EQ(read_waits(memory.readable()).ranks[1].state, rank_state::failed);
}

}  // namespace
