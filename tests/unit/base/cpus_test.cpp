// SPDX-License-Identifier: Apache-2.0
// What this process may use: checked against the mask that it sets itself.
#include "base/cpus.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>

namespace {

using namespace ramjet::base;

TEST(cpus, follow_the_affinity_mask) {
  const std::vector<int> all = allowed_cpus();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  CPU_SET(unsigned(all.back()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(allowed_cpus(), std::vector<int>{all.back()});
  EXPECT_EQ(usable_cpus(), 1u);
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_EQ(allowed_cpus(), all);
}

TEST(cpus, a_quota_only_lowers) {
  EXPECT_GE(usable_cpus(), 1u);
  EXPECT_LE(usable_cpus(), allowed_cpus().size());
  const double quota = cpu_quota();
  EXPECT_GE(quota, 0);
  EXPECT_TRUE(quota == 0 || usable_cpus() <= unsigned(quota) + 1);
}

TEST(cpus, memory_is_what_a_machine_can_have) {
  EXPECT_GT(usable_memory(), std::uint64_t{16} << 20);
  EXPECT_LT(usable_memory(), std::uint64_t{1} << 50);
}

}  // namespace
