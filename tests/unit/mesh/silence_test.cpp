// SPDX-License-Identifier: Apache-2.0
#include "mesh/silence.hpp"

#include <gtest/gtest.h>

namespace ramjet::mesh {
namespace {

TEST(silence_clock, counts_while_no_sign_comes) {
  silence_clock c;
  c.advance(1, 10);
  c.advance(1, 20);
  c.advance(1, 30);
  EXPECT_EQ(c.silent_ns(), 50u);
}

TEST(silence_clock, begins_anew_with_each_sign) {
  silence_clock c;
  c.advance(1, 10);
  c.advance(1, 20);
  c.advance(2, 30);
  EXPECT_EQ(c.silent_ns(), 0u);
  c.advance(2, 5);
  EXPECT_EQ(c.silent_ns(), 5u);
}

// The time until the first look counts: nobody knows what the thread did.
TEST(silence_clock, does_not_count_time_in_which_the_thread_was_starved) {
  silence_clock c;
  c.advance(0, 100);
  EXPECT_EQ(c.unseen_ns(), 100u);
  c.look(false);
  EXPECT_EQ(c.unseen_ns(), 0u);
  c.advance(0, 40);
  c.look(true);
  EXPECT_EQ(c.silent_ns(), 100u);
  c.advance(0, 7);
  c.look(false);
  EXPECT_EQ(c.silent_ns(), 107u);
}

}  // namespace
}  // namespace ramjet::mesh
