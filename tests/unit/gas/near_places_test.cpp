// SPDX-License-Identifier: Apache-2.0
// From the bits of a pointer to a place: ranks 1 and 3 of a job of four are near, the others far.
#include "ramjet/detail/gas/reach.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace ramjet::detail {
namespace {

constexpr std::uint64_t kWindow = 0x1100'0000'0000, kBytes = 8192, kEnd = kBytes - 7;

class near_ranks : public testing::Test {
 protected:
  near_ranks() {
    live_space.window_base = kWindow;
    live_space.segment_bytes = kBytes;
    live_space.words_end = kEnd;
    live_space.ranks = 4;
    place_rank(1, one_.data());
    place_rank(3, three_.data());
  }
  ~near_ranks() override {
    live_space = kNoSpace;
    for (const std::uint64_t r : {1, 3}) near_places.first[r] = 0;
  }
  static void place_rank(std::uint64_t rank, std::byte* at) {
    near_places.first[rank] = make_bits(rank, kWindow);
    near_places.delta[rank] = reinterpret_cast<std::uintptr_t>(at) - make_bits(rank, kWindow);
  }
  static bool finds(std::uint64_t rank, std::uint64_t address) {
    std::byte* here = nullptr;
    return find_word(make_bits(rank, address), kEnd, here);
  }
  static std::byte* found(std::uint64_t rank, std::uint64_t address) {
    std::byte* here = nullptr;
    EXPECT_TRUE(find_word(make_bits(rank, address), kEnd, here));
    return here;
  }

  std::array<std::byte, kBytes> one_{}, three_{};
};

TEST_F(near_ranks, words_are_found_from_the_first_to_the_last) {
  EXPECT_EQ(found(1, kWindow), one_.data());
  EXPECT_EQ(found(3, kWindow), three_.data());
  EXPECT_EQ(found(1, kWindow + 4096), one_.data() + 4096);
  EXPECT_EQ(found(3, kWindow + kBytes - 8), three_.data() + kBytes - 8);
}

TEST_F(near_ranks, nothing_is_found_around_a_segment) {
  EXPECT_FALSE(finds(1, kWindow - 1));
  EXPECT_FALSE(finds(1, kWindow + kBytes - 7));
  EXPECT_FALSE(finds(1, kWindow + kBytes));
  EXPECT_FALSE(finds(1, 0));
  EXPECT_FALSE(finds(3, kAddressMask));
}

TEST_F(near_ranks, nothing_is_found_of_other_ranks) {
  for (const std::uint64_t rank : {0u, 2u, 4u, 5u, 0x7fffu, 0x8000u, 0xfffeu, kRankNever}) {
    EXPECT_FALSE(finds(rank, kWindow)) << rank;
    EXPECT_FALSE(finds(rank, 0)) << rank;
    EXPECT_FALSE(finds(rank, kAddressMask)) << rank;
  }
}

TEST_F(near_ranks, copies_may_end_with_the_segment) {
  EXPECT_EQ(reach_within(make_bits(1, kWindow + kBytes - 100), 100, "test"),
            one_.data() + kBytes - 100);
  EXPECT_EQ(reach_within(make_bits(3, kWindow), kBytes, "test"), three_.data());
}

TEST(no_job, no_word_is_found_through_a_null_pointer) {
  std::byte* here = nullptr;
  EXPECT_FALSE(find_word(0, 4096, here));
  EXPECT_EQ(kNoSpace.words_end, 0u);
  EXPECT_EQ(read_end, 0u);
  EXPECT_EQ(write_end, 0u);
}

}  // namespace
}  // namespace ramjet::detail
