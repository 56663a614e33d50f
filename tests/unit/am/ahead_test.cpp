// SPDX-License-Identifier: Apache-2.0
#include "am/collectives/ahead.hpp"

#include <gtest/gtest.h>

namespace ramjet::detail {
namespace {

TEST(ahead, halves_are_shorter_the_more_members_there_are) {
  EXPECT_EQ(half_bytes(1), 256u * 1024);
  EXPECT_EQ(half_bytes(64), 256u * 1024);
  EXPECT_LT(half_bytes(65), 256u * 1024);
  EXPECT_EQ(half_bytes(256), 64u * 1024);
  EXPECT_EQ(half_bytes(1024), 32u * 1024);
}

TEST(ahead, what_is_kept_of_a_member_is_two_halves_of_the_least_messages) {
  for (const int members : {2, 64, 65, 1024})
    EXPECT_LE(2 * half_bytes(members) / cost_of_message(0), kKeptMax);
}

}  // namespace
}  // namespace ramjet::detail
