// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/estimate.hpp"

#include <gtest/gtest.h>

#include <random>

namespace characterize {
namespace {

TEST(Estimate, OfOddAndEvenNumbersOfSamples) {
  std::vector<double> odd = {3, 1, 2}, even = {4, 1, 2, 3};
  EXPECT_DOUBLE_EQ(estimate_of(odd).median, 2);
  EXPECT_DOUBLE_EQ(estimate_of(even).median, 2.5);
}

// Of many runs the interval holds the true median in about 95 of 100.
TEST(Estimate, IntervalsHoldTheMedian) {
  std::mt19937 random(11);
  std::lognormal_distribution<double> times(0, 0.5);  // median 1
  unsigned held = 0;
  constexpr unsigned kRuns = 2000;
  for (unsigned run = 0; run < kRuns; ++run) {
    std::vector<double> samples(41);
    for (double& s : samples) s = times(random);
    const estimate e = estimate_of(samples);
    held += e.low <= 1 && 1 <= e.high;
  }
  EXPECT_GT(held, kRuns * 92 / 100);
  EXPECT_LT(held, kRuns * 99 / 100);
}

TEST(Measure, EndsWhenTheIntervalIsNarrow) {
  unsigned taken = 0;
  const estimate e = measure([&] { return ++taken % 2 == 0 ? 10.0 : 10.1; },
                             {.width = 0.03, .samples_min = 5, .seconds = 60});
  EXPECT_EQ(taken, 5u);
  EXPECT_NEAR(e.median, 10.05, 0.06);
}

TEST(Measure, EndsWithTheTime) {
  std::mt19937 random(3);
  const estimate e = measure([&] { return 1.0 + double(random() % 1000); },
                             {.width = 1e-6, .samples_min = 7, .seconds = 0});
  EXPECT_EQ(e.samples, 7u);
}

}  // namespace
}  // namespace characterize
