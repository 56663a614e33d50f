// SPDX-License-Identifier: Apache-2.0
// One rank's part of a hash table against std::unordered_map, with good hashes and with bad ones.
#include "ramjet/detail/gas/flat_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <unordered_map>

namespace {

using ramjet::detail::flat_table;
using ramjet::detail::mix_hash;

constexpr unsigned kSeed = 20;

template <std::uint64_t Values>
struct hash_to {
  std::size_t operator()(std::uint32_t key) const { return key % Values; }
};

template <class Hash>
class FlatTable : public testing::Test {};
using hashes = testing::Types<std::hash<std::uint32_t>, hash_to<1>, hash_to<17>>;
TYPED_TEST_SUITE(FlatTable, hashes);

template <class Hash>
void expect_same(flat_table<std::uint32_t, std::uint64_t, Hash>& table,
                 const std::unordered_map<std::uint32_t, std::uint64_t>& expected) {
  ASSERT_EQ(table.size(), expected.size());
  std::size_t seen = 0;
  auto check = [&](const std::uint32_t& key, std::uint64_t& value) {
    const auto there = expected.find(key);
    ASSERT_NE(there, expected.end()) << key;
    EXPECT_EQ(value, there->second) << key;
    ++seen;
  };
  table.for_each(check);
  EXPECT_EQ(seen, expected.size());
}

TYPED_TEST(FlatTable, DoesAsAMapDoes) {
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const auto hash_of = [](std::uint32_t key) { return mix_hash(TypeParam{}(key)); };
  flat_table<std::uint32_t, std::uint64_t, TypeParam> table(0);
  std::unordered_map<std::uint32_t, std::uint64_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    const auto key = std::uint32_t(random() % 700);
    if (random() % 5 < 3) {
      table.at(key, hash_of(key)) += unsigned(i);
      expected[key] += unsigned(i);
    } else {
      EXPECT_EQ(table.erase(key, hash_of(key)), expected.erase(key) == 1);
    }
    const auto other = std::uint32_t(random() % 700);
    const auto there = expected.find(other);
    const std::uint64_t* found = table.find(other, hash_of(other));
    ASSERT_EQ(found != nullptr, there != expected.end());
    if (found != nullptr) {
      EXPECT_EQ(*found, there->second);
    }
  }
  expect_same(table, expected);
}

TEST(FlatTableGrowth, FromAnyExpectationToAnySize) {
  for (const std::size_t wanted : {0u, 1u, 47u, 48u, 49u, 1000u}) {
    flat_table<std::uint32_t, std::uint64_t, std::hash<std::uint32_t>> table(wanted);
    std::unordered_map<std::uint32_t, std::uint64_t> expected;
    for (std::uint32_t i = 0; i < 5000; ++i) {
      const std::uint32_t key = i * 65'536;
      EXPECT_EQ(table.at(key, mix_hash(key)), 0u);  // a new value is a value-initialised one
      table.at(key, mix_hash(key)) = i;
      expected[key] = i;
    }
    expect_same(table, expected);
  }
}

// Keys that differ in few bits, wherever these are, do not crowd: neither by the upper half of the
// mixed hash, which chooses the rank, nor by the lower.
TEST(MixHash, SpreadsSequencesOfAnyStride) {
  for (unsigned shift = 0; shift < 52; ++shift) {
    std::uint32_t upper[16] = {}, lower[16] = {};
    for (std::uint64_t i = 0; i < 4096; ++i) {
      ++upper[mix_hash(i << shift) >> 60];
      ++lower[mix_hash(i << shift) & 15];
    }
    for (unsigned k = 0; k < 16; ++k) {
      EXPECT_NEAR(upper[k], 256, 110) << shift;
      EXPECT_NEAR(lower[k], 256, 110) << shift;
    }
  }
}

}  // namespace
