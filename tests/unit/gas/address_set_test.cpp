// SPDX-License-Identifier: Apache-2.0
#include "gas/address_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_set>

namespace {

using ramjet::gas::address_set;

TEST(AddressSet, HoldsNothingAtFirst) {
  address_set s;
  EXPECT_FALSE(s.erase(64));
  EXPECT_FALSE(s.erase(0));
  EXPECT_EQ(s.count(), 0u);
}

TEST(AddressSet, HoldsAnAddressUntilItIsErased) {
  address_set s;
  EXPECT_TRUE(s.insert(64));
  EXPECT_FALSE(s.erase(128));
  EXPECT_FALSE(s.erase(0));
  EXPECT_TRUE(s.erase(64));
  EXPECT_FALSE(s.erase(64));
}

// Addresses near each other and far from each other, as often erased as inserted at the end.
TEST(AddressSet, HoldsWhatAnyOtherSetWould) {
  constexpr unsigned kSeed = 20;
  std::mt19937_64 random(kSeed);
  for (const std::uint64_t step : {std::uint64_t{16}, std::uint64_t{64} * 1024}) {
    address_set s;
    std::unordered_set<std::uint64_t> expected;
    for (int i = 0; i < 200'000; ++i) {
      const std::uint64_t address = (1 + random() % 5'000) * step;
      if (!expected.contains(address) && i % 3 != 0) {
        ASSERT_TRUE(s.insert(address));
        expected.insert(address);
      } else {
        ASSERT_EQ(s.erase(address), expected.erase(address) == 1) << "seed " << kSeed;
      }
      ASSERT_EQ(s.count(), expected.size());
    }
    for (const std::uint64_t address : expected) ASSERT_TRUE(s.erase(address));
    EXPECT_EQ(s.count(), 0u);
  }
}

}  // namespace
