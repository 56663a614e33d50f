// SPDX-License-Identifier: Apache-2.0
// The comparison that every run of em3d is checked by: it finds one wrong bit, wherever it is.
#include "fields.hpp"

#include <bit>
#include <cstdio>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace em3d {
namespace {

constexpr unsigned kSeed = 13;
constexpr graph kGraph{.seed = 1, .ranks = 3, .nodes = 10, .degree = 2};

fields some_fields() {
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> real(-1, 1);
  fields f;
  for (auto& values : f.values)
    for (int i = 0; i < 30; ++i) values.push_back(real(random));
  return f;
}

TEST(Fields, EqualOnesHaveNoDifference) {
  const fields f = some_fields();
  EXPECT_FALSE(first_difference(kGraph, f, some_fields()));
  EXPECT_EQ(checksum(f), checksum(some_fields()));
}

TEST(Fields, OneWrongBitIsFoundWhereverItIs) {
  std::printf("seed %u\n", kSeed);
  const fields right = some_fields();
  for (const kind k : {kind::e, kind::h})
    for (std::size_t i = 0; i < 30; ++i)
      for (unsigned bit = 0; bit < 64; ++bit) {
        fields wrong = right;
        const auto bits = std::bit_cast<std::uint64_t>(right.of(k)[i]) ^ std::uint64_t{1} << bit;
        wrong.of(k)[i] = std::bit_cast<double>(bits);
        const auto d = first_difference(kGraph, right, wrong);
        ASSERT_TRUE(d);
        EXPECT_EQ(d->of, k);
        EXPECT_EQ(d->node, (node_id{int(i / 10), std::uint32_t(i % 10)}));
        EXPECT_EQ(d->expected, right.of(k)[i]);
        EXPECT_NE(checksum(right), checksum(wrong));
      }
}

TEST(Fields, TheFirstOfSeveralIsNamed) {
  const fields right = some_fields();
  fields wrong = right;
  wrong.of(kind::h)[0] = 3;
  wrong.of(kind::e)[29] = 0.25;
  const auto d = first_difference(kGraph, right, wrong);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->of, kind::e);
  EXPECT_NE(describe(*d).find("E node 9 of rank 2 is 0.25, and "), std::string::npos)
      << describe(*d);
}

TEST(Fields, AValueThatIsNoNumberIsADifference) {
  fields wrong = some_fields();
  wrong.of(kind::h)[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(first_difference(kGraph, some_fields(), wrong));
}

TEST(Fields, TheSignOfZeroCounts) {
  fields plus = some_fields(), minus = plus;
  plus.of(kind::e)[0] = 0.0;
  minus.of(kind::e)[0] = -0.0;
  EXPECT_TRUE(first_difference(kGraph, plus, minus));
}

TEST(Fields, TheChecksumDependsOnTheOrder) {
  fields swapped = some_fields();
  std::swap(swapped.of(kind::e)[3], swapped.of(kind::e)[4]);
  EXPECT_NE(checksum(some_fields()), checksum(swapped));
  std::swap(swapped.values[0], swapped.values[1]);
  EXPECT_NE(checksum(some_fields()), checksum(swapped));
}

}  // namespace
}  // namespace em3d
