// SPDX-License-Identifier: Apache-2.0
// A job on two nodes as its launcher sees it: whatever belongs to a rank stands with its own node.
#include "launch/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "../region_offset.hpp"
#include "base/cpus.hpp"
#include "report/snapshot.hpp"
#include "report/stall_watch.hpp"

namespace {

using namespace ramjet::launcher;
using ramjet::detail::pair_counters;
using ramjet::detail::port_line;

class Memory : public testing::Test {
 protected:
  static constexpr unsigned kRanks = 4, kNodes = 2;  // ranks 0 and 1, 2 and 3
  Memory() { EXPECT_FALSE(memory.create(kRanks, kNodes, failure_policy::abort, 100)); }

  // As the first rank of the node that joins does.
  geometry lay_out(unsigned node) {
    const geometry g = make_geometry(kRanks, 1, 1 << 20);
    EXPECT_EQ(::ftruncate(memory.node(node).descriptor(), off_t(g.total_bytes)), 0);
    memory.node(node).the_board().layout = g;
    memory.node(node).the_board().layout_state.store(2, std::memory_order_release);
    return g;
  }
  template <class T>
  void put(unsigned node, std::uint64_t offset, const T& value) {
    ASSERT_EQ(::pwrite(memory.node(node).descriptor(), static_cast<const void*>(&value),
                       sizeof value, off_t(offset)),
              ssize_t(sizeof value));
  }
  void put_counters(unsigned node, unsigned owner, unsigned peer, const pair_counters& counters) {
    const geometry g = make_geometry(kRanks, 1, 1 << 20);
    put(node, counters_offset(g) + (owner * kRanks + peer) * sizeof counters, counters);
  }
  void put_wait(unsigned node, unsigned rank, std::uint64_t since_ns) {
    port_line line{};
    line.state = ramjet::detail::kOpen;
    line.waiting = 1;
    line.wait_target = -1;
    line.wait_since_ns = since_ns;
    put(node, ports_offset(make_geometry(kRanks, 1, 1 << 20)) + rank * sizeof line, line);
  }

  job_memory memory;
};

TEST_F(Memory, HasAnObjectForEachNodeAndADirectory) {
  std::set<int> descriptors{memory.directory_descriptor()};
  for (unsigned node = 0; node < kNodes; ++node) {
    descriptors.insert(memory.node(node).descriptor());
    const board& b = memory.node(node).the_board();
    EXPECT_EQ(b.node, node);
    EXPECT_EQ(b.nodes, kNodes);
    EXPECT_EQ(b.members, 2u);
    EXPECT_EQ(b.secret, memory.secret());
    EXPECT_EQ(b.processors, std::max(1u, ramjet::base::usable_cpus() / kNodes));
  }
  EXPECT_EQ(descriptors.size(), job_memory::descriptors(kNodes));
  EXPECT_GE(*descriptors.begin(), 100);
  EXPECT_EQ(&memory.line(3), &memory.node(1).line(3));
}

TEST_F(Memory, OfOneNodeHasNoDirectory) {
  job_memory one;
  ASSERT_FALSE(one.create(kRanks, 1, failure_policy::abort, 100));
  EXPECT_EQ(one.directory_descriptor(), -1);
  EXPECT_EQ(job_memory::descriptors(1), 1u);
  EXPECT_EQ(one.node(0).the_board().processors, ramjet::base::usable_cpus());
}

TEST_F(Memory, HasAKeyThatNobodyGuesses) {
  job_memory other;
  ASSERT_FALSE(other.create(kRanks, kNodes, failure_policy::abort, 100));
  directory heads[2];
  ASSERT_EQ(
      ::pread(memory.directory_descriptor(), static_cast<void*>(&heads[0]), sizeof(directory), 0),
      ssize_t(sizeof(directory)));
  ASSERT_EQ(
      ::pread(other.directory_descriptor(), static_cast<void*>(&heads[1]), sizeof(directory), 0),
      ssize_t(sizeof(directory)));
  EXPECT_EQ(heads[0].ranks, kRanks);
  EXPECT_NE(heads[0].key, heads[1].key);
  EXPECT_NE(heads[0].key, job_key{});
}

TEST_F(Memory, TellsADeathToItsOwnNodeAlone) {
  memory.note_failure(2, 9, 0);
  EXPECT_EQ(memory.node(0).the_board().failures.load(), 0u);
  EXPECT_EQ(memory.node(1).the_board().failures.load(), 1u);
  EXPECT_EQ(memory.node(1).line(2).signal.load(), 9);
  directory head;
  ASSERT_EQ(::pread(memory.directory_descriptor(), static_cast<void*>(&head), sizeof head, 0),
            ssize_t(sizeof head));
  EXPECT_EQ(head.failures.load(), 1u);  // who waits for its card, on whatever node, hears of it
}

TEST_F(Memory, ShowsEachRankAsItsNodeDoes) {
  lay_out(0);
  lay_out(1);
  put_wait(0, 1, 11);
  put_wait(1, 3, 33);
  put_wait(0, 2, 1);  // a stranger's line: no truth about rank 2
  memory.node(1).line(3).state = std::uint32_t(rank_state::joined);
  memory.node(0).line(3).state = std::uint32_t(rank_state::failed);  // what node 0 believes
  const job_snapshot s = read_waits(memory.readable());
  EXPECT_EQ(s.nodes, 2u);
  EXPECT_EQ(s.ranks[1].node, 0u);
  EXPECT_EQ(s.ranks[2].node, 1u);
  EXPECT_EQ(s.ranks[3].state, rank_state::joined);
  ASSERT_EQ(s.ports.size(), kRanks);
  ASSERT_NE(s.longest_wait(1), nullptr);
  EXPECT_EQ(s.longest_wait(1)->since_ns, 11u);
  ASSERT_NE(s.longest_wait(3), nullptr);
  EXPECT_EQ(s.longest_wait(3)->since_ns, 33u);
  EXPECT_EQ(s.longest_wait(2), nullptr);
}

TEST_F(Memory, ShowsNodesWhoseRanksHaveNotAgreedYet) {
  lay_out(1);
  put_wait(1, 3, 33);
  const job_snapshot s = read_waits(memory.readable());
  ASSERT_EQ(s.ports.size(), kRanks);
  EXPECT_FALSE(s.ports[0].open);
  EXPECT_TRUE(s.ports[3].waiting);
}

TEST_F(Memory, BringsTheCountersOfTwoNodesTogether) {
  lay_out(0);
  lay_out(1);
  pair_counters sender{}, receiver{}, lie{};
  sender.requests_sent = 10;
  receiver.requests_received = 8;
  receiver.requests_handled = 7;
  lie.requests_sent = 99;
  put_counters(0, 0, 3, sender);
  put_counters(1, 3, 0, receiver);
  put_counters(1, 0, 3, lie);
  job_snapshot s = read_waits(memory.readable());
  read_lanes(memory.readable(), s);
  ASSERT_EQ(s.lanes.size(), 1u);
  EXPECT_EQ(s.lanes[0].from, 0u);
  EXPECT_EQ(s.lanes[0].to, 3u);
  EXPECT_EQ(s.lanes[0].sent(), 10u);
  EXPECT_EQ(s.lanes[0].in_flight(), 2u);
  EXPECT_EQ(s.lanes[0].in_handler(), 1u);
}

TEST_F(Memory, SumsTheActivityOfAllNodes) {
  lay_out(0);
  lay_out(1);
  const std::uint64_t before = read_activity(memory.readable());
  memory.line(0).progress = 1;
  memory.line(3).progress = 2;
  pair_counters counters{};
  counters.replies_handled = 4;
  put_counters(1, 2, 0, counters);
  EXPECT_EQ(read_activity(memory.readable()), before + 7);
}

TEST_F(Memory, AStandstillIsOneOfAllNodes) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  lay_out(0);
  lay_out(1);
  put_wait(0, 0, 1);
  memory.line(0).state = std::uint32_t(rank_state::joined);
  stall_watch watch(4 * kSecond);
  const std::uint64_t start = read_waits(memory.readable()).now_ns;
  EXPECT_FALSE(watch.check(memory.readable(), start));
  memory.line(3).progress = 1;  // the other node moves
  EXPECT_FALSE(watch.check(memory.readable(), start + 4 * kSecond));
  bool stands = false;
  while (watch.next_check_ns() <= start + 8 * kSecond)
    stands = watch.check(memory.readable(), watch.next_check_ns()) || stands;
  EXPECT_TRUE(stands);
}

}  // namespace
