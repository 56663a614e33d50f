// SPDX-License-Identifier: Apache-2.0
// Memory hierarchies that are made up, with and without noise.
#include "tools/characterize/infer/curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace characterize {
namespace {

constexpr double kKiB = 1024, kMiB = 1024 * kKiB;

struct made_up_level {
  double bytes, ns;
};

// Each cache holds what it can of the array, and serves that part of the reads.
curve mixture(const std::vector<made_up_level>& levels, double memory_ns, double most) {
  curve c;
  for (double size = 4 * kKiB; size <= most; size *= std::exp2(0.25)) {
    double served = 0, ns = 0;
    for (const made_up_level& l : levels) {
      const double part = std::min(1.0, l.bytes / size) - served;
      ns += std::max(part, 0.0) * l.ns;
      served += std::max(part, 0.0);
    }
    c.push_back({size, ns + (1 - served) * memory_ns});
  }
  return c;
}

// An array that is larger than a cache misses in it always, as it is gone through in one order.
curve steps(const std::vector<made_up_level>& levels, double memory_ns, double most) {
  curve c;
  for (double size = 4 * kKiB; size <= most; size *= std::exp2(0.25)) {
    double ns = memory_ns;
    for (auto l = levels.rbegin(); l != levels.rend(); ++l)
      if (size <= l->bytes) ns = l->ns;
    c.push_back({size, ns});
  }
  return c;
}

void expect_levels(const curve& c, const std::vector<made_up_level>& levels, double memory_ns) {
  const std::vector<level> found = find_levels(c);
  ASSERT_EQ(found.size(), levels.size() + 1);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_NEAR(found[i].ns, levels[i].ns, 0.2 * levels[i].ns) << i;
    ASSERT_TRUE(found[i].capacity) << i;
    EXPECT_NEAR(*found[i].capacity, levels[i].bytes, 0.25 * levels[i].bytes) << i;
  }
  EXPECT_NEAR(found.back().ns, memory_ns, 0.2 * memory_ns);
  EXPECT_FALSE(found.back().capacity);
}

const std::vector<made_up_level> kThree = {{32 * kKiB, 1.2}, {512 * kKiB, 4}, {32 * kMiB, 14}};

TEST(FindLevels, StepsOfThreeCaches) { expect_levels(steps(kThree, 90, 512 * kMiB), kThree, 90); }

TEST(FindLevels, CachesThatHoldAPart) {
  const std::vector<made_up_level> far_apart = {{32 * kKiB, 1.2}, {1 * kMiB, 5}};
  expect_levels(mixture(far_apart, 80, 512 * kMiB), far_apart, 80);
}

TEST(FindLevels, OneCache) {
  const std::vector<made_up_level> one = {{8 * kKiB * 16, 6.7}};
  expect_levels(steps(one, 145, 64 * kMiB), one, 145);
}

TEST(FindLevels, NoCache) {
  const std::vector<level> found = find_levels(steps({}, 100, 64 * kMiB));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].ns, 100);
}

// Interruptions only make points slower.
TEST(FindLevels, SpikesMakeNoLevels) {
  curve c = steps(kThree, 90, 512 * kMiB);
  std::mt19937 random(7);
  for (point& p : c)
    if (random() % 5 == 0 && p.x < 256 * kMiB) p.ns *= 1.5 + double(random() % 10);
  expect_levels(c, kThree, 90);
}

TEST(FindLevels, TooFewPointsGiveNone) {
  EXPECT_TRUE(find_levels({}).empty());
  EXPECT_TRUE(find_levels({{4096, 1}}).empty());
}

TEST(FirstSlower, FindsTheFirstByTheFactor) {
  const curve c = {{8, 2.0}, {16, 2.1}, {32, 2.4}, {64, 2.6}, {128, 9}};
  EXPECT_EQ(first_slower(c, 1.25), 64);
  EXPECT_EQ(first_slower(c, 10), std::nullopt);
}

TEST(FlatFrom, TheSmallestOfThoseLikeTheLast) {
  EXPECT_EQ(flat_from(curve{{1, 1}, {2, 2}, {4, 3.6}, {8, 3.7}, {16, 3.6}}, 0.1), 4);
  EXPECT_EQ(flat_from(curve{{1, 3.6}, {2, 2}, {4, 3.6}}, 0.1), 4);  // not all from 1 on
  EXPECT_EQ(flat_from(curve{{1, 5}}, 0.1), 1);
}

}  // namespace
}  // namespace characterize
