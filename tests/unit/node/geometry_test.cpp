// SPDX-License-Identifier: Apache-2.0
// The layout of a node's memory object: no two parts overlap, all begin on pages, for any job; and
// what is wrong with one that somebody else wrote is found.
#include "node/geometry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "lane/shared_lane.hpp"
#include "node/board.hpp"
#include "node/segments.hpp"
#include "ramjet/detail/gas/address_space.hpp"

namespace {

using namespace ramjet;
using namespace ramjet::node;
using testing::HasSubstr;

// Regions of this test, beside those of the library that it links.
region one_byte_a_rank("test.one_byte_a_rank",
                       [](const shape& s) -> std::uint64_t { return s.ranks; });
unsigned ports_when_bound = 0;
region with_hooks("test.with_hooks",
                  [](const shape& s) -> std::uint64_t { return s.ports() * 100; },
                  {.bound = [](const shape& s) { ports_when_bound = s.ports(); },
                   .released = [] { ports_when_bound = 0; }});

class any_job : public testing::TestWithParam<std::pair<unsigned, unsigned>> {};

TEST_P(any_job, has_parts_that_follow_each_other) {
  const auto [ranks, endpoints] = GetParam();
  const geometry g = make_geometry(ranks, endpoints, 1 << 20);
  std::uint64_t end = board_bytes(ranks);
  for (unsigned i = 0; i < g.regions; ++i) {
    const region_entry& part = g.table[i];
    EXPECT_GE(part.offset, end) << part.name << " overlaps what stands before it";
    EXPECT_EQ(part.offset % kPageBytes, 0u) << part.name;
    EXPECT_GT(part.bytes, 0u) << part.name;
    end = part.offset + part.bytes;
  }
  EXPECT_EQ(g.segments_offset, page_up(end));
  EXPECT_EQ(g.total_bytes, g.segments_offset + (std::uint64_t(ranks) << 20));
  EXPECT_EQ(layout_defect(g, ranks, g.total_bytes), nullptr);
  EXPECT_NE(layout_defect(g, ranks, end - 1), nullptr);
}

TEST_P(any_job, has_numbers_that_the_engine_relies_on) {
  const auto [ranks, endpoints] = GetParam();
  const geometry g = make_geometry(ranks, endpoints, 1 << 20);
  EXPECT_EQ(g.ports, ranks * endpoints);
  const lane::lane_shape shape = lane::shape_for(g.ports);
  EXPECT_TRUE(std::has_single_bit(shape.ring_words));
  EXPECT_TRUE(std::has_single_bit(shape.payload_bytes));
  EXPECT_GE(shape.ring_words, 8 * detail::kLineWords);
  EXPECT_GE(shape.payload_bytes, 2 * detail::kRegionBytesMax);
  EXPECT_GE(lane::bells_stride(g.ports), g.ports);
  EXPECT_EQ(lane::bells_stride(g.ports) % 64, 0u);
  EXPECT_EQ(g.segment_base % kPageBytes, 0u);
  EXPECT_EQ(g.window_base % kPageBytes, 0u);
  EXPECT_LE(g.window_base + addresses().segment_bytes_max(), g.segment_base);
  EXPECT_LE(g.segment_base + kSegmentsBytesMax, std::uint64_t{1} << detail::kRankShift);
}

INSTANTIATE_TEST_SUITE_P(sizes, any_job,
                         testing::Values(std::pair{1u, 1u}, std::pair{2u, 1u}, std::pair{3u, 4u},
                                         std::pair{16u, 1u}, std::pair{17u, 1u}, std::pair{64u, 1u},
                                         std::pair{65u, 1u}, std::pair{100u, 10u},
                                         std::pair{1024u, 1u}, std::pair{16u, 64u}));

TEST(geometry, depends_on_nothing_else) {
  EXPECT_TRUE(same_layout(make_geometry(7, 3, 1 << 20), make_geometry(7, 3, 1 << 20)));
  EXPECT_FALSE(same_layout(make_geometry(7, 3, 1 << 20), make_geometry(7, 2, 1 << 20)));
}

// What the program has in its segment comes on top of what it asks for.
TEST(geometry, makes_room_for_the_programs_part) {
  program_part part;
  part.variable_bytes = 5 * kPageBytes;
  part.stack_bytes = 64 << 20;
  part.hash = 77;
  const geometry g = make_geometry(3, 1, 1 << 20, part);
  EXPECT_EQ(g.program_bytes, part.bytes());
  EXPECT_EQ(g.program_hash, 77u);
  EXPECT_GE(g.segment_bytes, part.bytes() + (1 << 20));
  EXPECT_LT(g.segment_bytes, part.bytes() + (1 << 20) + kSegmentGrain);
  EXPECT_EQ(g.segment_bytes % kSegmentGrain, 0u);
  EXPECT_EQ(g.total_bytes, g.segments_offset + 3 * g.segment_bytes);
  // As a rank finds it again from what another one laid out.
  EXPECT_TRUE(same_layout(g, make_geometry(3, 1, g.segment_bytes - g.program_bytes, part)));
  part.hash = 78;
  EXPECT_FALSE(same_layout(g, make_geometry(3, 1, 1 << 20, part)));
}

TEST(program_part, of_a_program_without_variables_is_its_stack) {
  program_part part;
  std::string message;
  ASSERT_TRUE(find_program_part(100, part, message)) << message;
  EXPECT_EQ(part.variable_bytes, 0u);
  EXPECT_EQ(part.hash, 0u);
  EXPECT_EQ(part.bytes(), kPageBytes);
}

// A launcher maps no more than that to wake sleepers.
TEST(geometry, has_the_ports_first) {
  EXPECT_STREQ(make_geometry(2, 1, 1 << 20).table[0].name, "node.ports");
}

TEST(geometry, has_the_other_regions_by_name) {
  const geometry g = make_geometry(2, 1, 1 << 20);
  ASSERT_GT(g.regions, 2u);
  for (unsigned i = 2; i < g.regions; ++i)
    EXPECT_LT(std::strcmp(g.table[i - 1].name, g.table[i].name), 0) << g.table[i].name;
}

TEST(geometry, finds_a_region_by_its_name_if_it_is_long_enough) {
  const geometry g = make_geometry(5, 1, 1 << 20);
  ASSERT_NE(find_region(g, "test.one_byte_a_rank", 5), nullptr);
  EXPECT_EQ(find_region(g, "test.one_byte_a_rank", 6), nullptr);
  EXPECT_EQ(find_region(g, "test.one_byte", 0), nullptr);
}

TEST(geometry, tells_regions_that_differ) {
  const geometry here = make_geometry(5, 1, 1 << 20), large = make_geometry(5, 1, 1 << 24);
  EXPECT_EQ(region_difference(here, large), "");
  EXPECT_EQ(regions_hash(here), regions_hash(large));
  geometry there = here;
  there.table[1].bytes += 1;
  EXPECT_THAT(region_difference(here, there), HasSubstr(here.table[1].name));
  EXPECT_NE(regions_hash(here), regions_hash(there));
  there = here;
  there.regions -= 1;
  std::memset(&there.table[there.regions], 0, sizeof there.table[0]);
  EXPECT_THAT(region_difference(here, there), HasSubstr("is none there"));
  EXPECT_NE(regions_hash(here), regions_hash(there));
}

TEST(regions, are_bound_where_the_geometry_says) {
  const geometry g = make_geometry(2, 3, 1 << 20);
  auto* const object = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 30);  // nobody looks there
  EXPECT_EQ(one_byte_a_rank.as<std::byte>(), nullptr);
  bind_regions(g, object);
  EXPECT_EQ(one_byte_a_rank.as<std::byte>(),
            object + find_region(g, "test.one_byte_a_rank", 0)->offset);
  EXPECT_EQ(ports.as<std::byte>(), object + g.table[0].offset);
  EXPECT_EQ(ports_when_bound, 6u);
  release_regions();
  EXPECT_EQ(one_byte_a_rank.as<std::byte>(), nullptr);
  EXPECT_EQ(ports_when_bound, 0u);
}

TEST(regions, of_another_program_are_not_bound) {
  geometry g = make_geometry(2, 1, 1 << 20);
  g.regions -= 1;
  EXPECT_DEATH(bind_regions(g, nullptr), "of another program");
}

TEST(regions, have_names_of_their_own) {
  EXPECT_DEATH(
      {
        const region twin("test.with_hooks", [](const shape&) -> std::uint64_t { return 1; });
        static_cast<void>(registered_regions());
      },
      "two regions have one name");
}

// The advice fits the job: what is set already is not advised again.
TEST(segments, advise_less_than_there_is) {
  EXPECT_THAT(address_space_advice(make_geometry(2, 1, std::uint64_t{1} << 30)),
              HasSubstr("RAMJET_SEGMENT_BYTES=256M"));
  for (const std::uint64_t mib : {256u, 64u}) {
    const std::string advice = address_space_advice(make_geometry(2, 1, mib << 20));
    EXPECT_EQ(advice.find("=256M"), advice.npos) << advice;
    EXPECT_THAT(advice, HasSubstr("below the " + std::to_string(mib) + " MiB"));
  }
}

TEST(segments, have_bounds) {
  std::string message;
  EXPECT_TRUE(segment_fits(1 << 20, 1024, message));
  EXPECT_FALSE(segment_fits(kSegmentsBytesMax / 2 + 1, 2, message));
  EXPECT_THAT(message, HasSubstr("64 TiB"));
  EXPECT_FALSE(segment_fits(addresses().segment_bytes_max() + 1, 1, message));
}

}  // namespace
