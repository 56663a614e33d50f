// SPDX-License-Identifier: Apache-2.0
#include "report/text.hpp"

#include <gtest/gtest.h>

namespace {

using ramjet::report::duration_text;
using ramjet::report::ranks_text;
using ramjet::report::text;

TEST(Text, FormatsWhateverItsLength) {
  EXPECT_EQ(text("%d and %s", 7, "x"), "7 and x");
  EXPECT_EQ(text("%s", ""), "");
  const std::string longer(10'000, 'y');
  EXPECT_EQ(text("<%s>", longer.c_str()), "<" + longer + ">");
}

TEST(DurationText, ChoosesItsUnit) {
  EXPECT_EQ(duration_text(0), "0 us");
  EXPECT_EQ(duration_text(850'000), "850 us");
  EXPECT_EQ(duration_text(12'400'000), "12 ms");
  EXPECT_EQ(duration_text(5'240'000'000), "5.2 s");
  EXPECT_EQ(duration_text(423'000'000'000), "7 min 3 s");
}

TEST(RanksText, JoinsRunsOfThreeAndMore) {
  EXPECT_EQ(ranks_text({4}), "rank 4");
  EXPECT_EQ(ranks_text({0, 1}), "ranks 0 and 1");
  EXPECT_EQ(ranks_text({0, 1, 2, 3, 7}), "ranks 0-3 and 7");
  EXPECT_EQ(ranks_text({0, 2, 4}), "ranks 0, 2 and 4");
}

TEST(RanksText, CountsWhatItDoesNotName) {
  std::vector<unsigned> even;
  for (unsigned rank = 0; rank < 100; rank += 2) even.push_back(rank);
  EXPECT_EQ(ranks_text(even), "ranks 0, 2, 4, 6, 8, 10 and 44 others");
}

}  // namespace
