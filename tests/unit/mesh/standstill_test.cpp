// SPDX-License-Identifier: Apache-2.0
#include "mesh/standstill.hpp"

#include <gtest/gtest.h>

namespace ramjet::mesh {
namespace {

TEST(standstill, ends_a_start_in_which_nothing_moves) {
  standstill start(1000, 5);
  EXPECT_FALSE(start.is_over(5, 500));
  EXPECT_FALSE(start.is_over(5, 499));
  EXPECT_TRUE(start.is_over(5, 1));
}

TEST(standstill, lets_a_start_take_its_time_while_steps_are_made) {
  standstill start(1000, 0);
  for (std::uint64_t step = 1; step <= 512; ++step) {
    EXPECT_FALSE(start.is_over(step, 900)) << step;
    EXPECT_FALSE(start.is_over(step, 900)) << step;
  }
  EXPECT_TRUE(start.is_over(512, 900));
}

}  // namespace
}  // namespace ramjet::mesh
