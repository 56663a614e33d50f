// SPDX-License-Identifier: Apache-2.0
// What a board says of its job: who belongs to which node, and who has died.
#include "node/board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace ramjet::node;
using testing::ElementsAre;
using testing::HasSubstr;

class a_board : public testing::Test {
 protected:
  static constexpr unsigned kRanks = 4;
  void SetUp() override { std::memset(memory, 0, sizeof memory); }
  board* format(const std::vector<std::uint16_t>& node_of = {}, unsigned node = 0) {
    return format_board(memory, kRanks, failure_policy::carry_on, 123, node_of, node);
  }
  rank_line& line(unsigned rank) { return rank_lines(reinterpret_cast<board*>(memory))[rank]; }
  void fail(unsigned rank, int signal, int status) {
    report_failure(memory, sizeof memory, rank, signal, status);
  }

  static_assert(board_bytes(kRanks) <= 16384);
  alignas(4096) static inline std::byte memory[16384];
};

TEST_F(a_board, is_told_from_other_memory) {
  board* b = format();
  EXPECT_EQ(b->secret, 123u);
  EXPECT_EQ(board_defect(b, sizeof memory), nullptr);
  EXPECT_NE(board_defect(b, 100), nullptr);
  b->version += 1;
  EXPECT_THAT(board_defect(b, sizeof memory), HasSubstr("version"));
  b->version -= 1;
  b->magic ^= 1;
  EXPECT_NE(board_defect(b, sizeof memory), nullptr);
}

TEST_F(a_board, of_one_node_has_all_ranks_there) {
  const board* b = format();
  EXPECT_EQ(b->members, kRanks);
  EXPECT_EQ(b->nodes, 1u);
  EXPECT_EQ(b->node, 0u);
}

TEST_F(a_board, knows_the_node_of_each_rank) {
  const board* b = format({0, 1, 2, 1}, 1);
  EXPECT_EQ(b->members, 2u);
  EXPECT_EQ(b->nodes, 3u);
  EXPECT_EQ(b->node, 1u);
  EXPECT_THAT(std::vector(rank_nodes(b, kRanks), rank_nodes(b, kRanks) + kRanks),
              ElementsAre(0, 1, 2, 1));
  EXPECT_EQ(board_defect(b, sizeof memory), nullptr);
}

TEST_F(a_board, with_impossible_nodes_is_refused) {
  const auto defect_with = [this](auto change) {
    SetUp();
    board* b = format({0, 0, 1, 1}, 1);
    change(b);
    return board_defect(b, sizeof memory) != nullptr;
  };
  EXPECT_FALSE(defect_with([](board*) {}));
  EXPECT_TRUE(defect_with([](board* b) { b->nodes = 0; }));
  EXPECT_TRUE(defect_with([](board* b) { b->nodes = kRanks + 1; }));
  EXPECT_TRUE(defect_with([](board* b) { b->node = 2; }));
  EXPECT_TRUE(defect_with([](board* b) { b->members = 3; }));
  EXPECT_TRUE(defect_with([](board* b) { rank_nodes(b, kRanks)[0] = 7; }));
  EXPECT_TRUE(defect_with([](board* b) { rank_nodes(b, kRanks)[0] = 1; }));
}

TEST_F(a_board, learns_of_a_failure_once_the_line_is_written) {
  const board* b = format();
  fail(2, 9, 0);
  fail(1, 0, 3);
  EXPECT_EQ(b->failures.load(), 2u);
  EXPECT_EQ(b->first_failed.load(), 2);
  EXPECT_EQ(line(2).state.load(), unsigned(rank_state::failed));
  EXPECT_EQ(line(2).signal.load(), 9);
  EXPECT_EQ(line(1).exit_status.load(), 3);
}

TEST_F(a_board, counts_a_death_once_and_keeps_the_first_report) {
  const board* b = format();
  fail(2, 9, 0);
  fail(2, 15, 0);
  fail(2, 0, kStatusUnknown);
  EXPECT_EQ(b->failures.load(), 1u);
  EXPECT_EQ(line(2).signal.load(), 9);
  EXPECT_EQ(line(2).exit_status.load(), 0);
}

TEST_F(a_board, lets_a_later_report_add_what_was_not_known) {
  const board* b = format();
  fail(3, 0, kStatusUnknown);
  EXPECT_EQ(line(3).state.load(), unsigned(rank_state::failed));
  EXPECT_EQ(line(3).exit_status.load(), kStatusUnknown);
  fail(3, 11, 0);
  EXPECT_EQ(b->failures.load(), 1u);
  EXPECT_EQ(line(3).signal.load(), 11);
  EXPECT_EQ(line(3).exit_status.load(), 0);
}

TEST_F(a_board, counts_a_death_whose_reporter_died_before_it_had) {
  const board* b = format();
  line(1).state = std::uint32_t(rank_state::failed);  // and nothing more
  fail(1, 0, kStatusUnknown);
  EXPECT_EQ(b->failures.load(), 1u);
  line(0).state = std::uint32_t(rank_state::failed);
  fail(2, 9, 0);
  EXPECT_EQ(b->failures.load(), 3u);
}

TEST_F(a_board, does_not_let_a_rank_fail_that_has_left) {
  const board* b = format();
  line(2).state = std::uint32_t(rank_state::finalized);
  fail(2, 9, 0);
  EXPECT_EQ(b->failures.load(), 0u);
  EXPECT_EQ(line(2).state.load(), unsigned(rank_state::finalized));
}

TEST(ranks, are_dealt_in_blocks_as_even_as_possible) {
  EXPECT_THAT(deal_ranks(5, 2), ElementsAre(0, 0, 0, 1, 1));
  EXPECT_THAT(deal_ranks(4, 4), ElementsAre(0, 1, 2, 3));
  for (unsigned ranks : {1u, 2u, 7u, 64u, 1000u, 1024u}) {
    for (unsigned nodes : {1u, 2u, 3u, 5u, 7u, 64u, 999u}) {
      if (nodes > ranks) continue;
      const std::vector<std::uint16_t> node_of = deal_ranks(ranks, nodes);
      EXPECT_TRUE(std::is_sorted(node_of.begin(), node_of.end()));
      std::vector<unsigned> sizes(nodes);
      for (std::uint16_t node : node_of) ++sizes.at(node);
      const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
      EXPECT_GE(*least, 1u);
      EXPECT_LE(*most - *least, 1u) << ranks << " on " << nodes;
    }
  }
}

}  // namespace
