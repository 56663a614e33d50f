// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/verify/conditions.hpp"

#include <gtest/gtest.h>

namespace {

using tl0::condition;
using tl0::conditions;

TEST(Conditions, TwoOutcomesOfASwitchAddUpToAlways) {
  conditions c;
  EXPECT_EQ(c.sum(c.outcome(3, true), c.outcome(3, false)), c.number(1));
  EXPECT_TRUE(c.never(c.both(c.outcome(3, true), c.outcome(3, false))));
  EXPECT_EQ(c.inverse(c.outcome(3, true)), c.outcome(3, false));
}

// Where both ways of each meet again, the diagram is one leaf: no 2^200 outcomes.
TEST(Conditions, SwitchesInARowStaySmall) {
  conditions c;
  condition all = c.number(0);
  for (tl0::index i = 0; i < 200; ++i)
    all = c.sum(all, c.sum(c.outcome(i, true), c.outcome(i, false)));
  EXPECT_EQ(all, c.number(200));
}

TEST(Conditions, AnExampleHasTheValue) {
  conditions c;
  const condition two = c.sum(c.outcome(0, true), c.outcome(1, false));
  const condition where = c.equal(two, 2);
  std::uint32_t value = 0;
  const auto outcomes = c.example(where, value);
  EXPECT_EQ(value, 1u);
  const std::vector<std::pair<tl0::index, bool>> expected{{0, true}, {1, false}};
  EXPECT_EQ(outcomes, expected);
}

TEST(Conditions, ABlockThatIsTooLargeIsSaid) {
  conditions c;
  // The sum of 2^i over the switches is another one for each outcome.
  condition all = c.number(0);
  EXPECT_THROW(
      {
        for (tl0::index i = 0; i < 30; ++i) {
          condition power = c.outcome(i, true);
          for (tl0::index k = 0; k < i; ++k) power = c.sum(power, power);
          all = c.sum(all, power);
        }
      },
      conditions::too_many);
}

}  // namespace
