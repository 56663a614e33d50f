// SPDX-License-Identifier: Apache-2.0
// The layout of a job's shared memory: no two parts overlap, all are aligned, for any job.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "node/board.hpp"

namespace {

using namespace ramjet;
using namespace ramjet::job;

struct part {
  const char* name;
  std::uint64_t offset, bytes;
};

std::vector<part> parts_of(const geometry& g) {
  const std::uint64_t ports = g.ports, pairs = ports * ports;
  return {
      {"board", 0, board_bytes(g.ranks)},
      {"ports", g.ports_offset, ports * sizeof(detail::port_line)},
      {"bells", g.bells_offset, ports * g.bell_stride},
      {"counters", g.counters_offset, pairs * sizeof(detail::pair_counters)},
      {"barriers", g.barriers_offset, g.endpoints * 2 * sizeof(barrier_line)},
      {"values", g.values_offset, ports * 2 * sizeof(value_slot)},
      {"credits", g.credits_offset, pairs * sizeof(detail::credit_line)},
      {"consumed", g.consumed_offset, pairs * sizeof(detail::consumed_line)},
      {"rings", g.rings_offset, pairs * g.ring_words * 8},
      {"payload", g.payload_offset, pairs * 2 * g.payload_bytes},
      {"gates", g.gates_offset, g.ranks * sizeof(detail::store_gate)},
      {"stores", g.stores_offset, std::uint64_t(g.ranks) * g.ranks * sizeof(detail::store_line)},
      {"segments", g.segments_offset, g.ranks * g.segment_bytes}};
}

class any_job : public testing::TestWithParam<std::pair<unsigned, unsigned>> {};

TEST_P(any_job, has_parts_that_follow_each_other) {
  const auto [ranks, endpoints] = GetParam();
  const geometry g = make_geometry(ranks, endpoints, 1 << 20);
  std::uint64_t end = 0;
  for (const part& p : parts_of(g)) {
    EXPECT_GE(p.offset, end) << p.name << " overlaps what stands before it";
    EXPECT_EQ(p.offset % 4096, 0u) << p.name;
    end = p.offset + p.bytes;
  }
  EXPECT_EQ(g.total_bytes, end);
}

TEST_P(any_job, has_numbers_that_the_engine_relies_on) {
  const auto [ranks, endpoints] = GetParam();
  const geometry g = make_geometry(ranks, endpoints, 1 << 20);
  EXPECT_EQ(g.ports, ranks * endpoints);
  EXPECT_TRUE(std::has_single_bit(g.ring_words));
  EXPECT_TRUE(std::has_single_bit(g.payload_bytes));
  EXPECT_GE(g.ring_words, 8 * detail::kLineWords);
  EXPECT_GE(g.payload_bytes, 2 * detail::kRegionBytesMax);
  EXPECT_GE(g.bell_stride, g.ports);
  EXPECT_EQ(g.bell_stride % 64, 0u);
  EXPECT_EQ(g.segment_base % 4096, 0u);
  EXPECT_EQ(g.window_base % 4096, 0u);
  EXPECT_LE(g.window_base + addresses().segment_bytes_max(), g.segment_base);
  EXPECT_LE(g.segment_base + kSegmentsBytesMax, std::uint64_t{1} << detail::kRankShift);
}

INSTANTIATE_TEST_SUITE_P(sizes, any_job,
                         testing::Values(std::pair{1u, 1u}, std::pair{2u, 1u}, std::pair{3u, 4u},
                                         std::pair{16u, 1u}, std::pair{17u, 1u}, std::pair{64u, 1u},
                                         std::pair{65u, 1u}, std::pair{100u, 10u},
                                         std::pair{1024u, 1u}, std::pair{16u, 64u}));

TEST(geometry, depends_on_nothing_else) {
  const geometry a = make_geometry(7, 3, 1 << 20), b = make_geometry(7, 3, 1 << 20);
  EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0);
}

}  // namespace
