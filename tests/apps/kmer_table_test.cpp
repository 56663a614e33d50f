// SPDX-License-Identifier: Apache-2.0
// counter_table against std::map: through growth, at every k, and with counts of any size.
#include "counter_table.hpp"

#include <cstdint>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "spectrum.hpp"

namespace kmer {
namespace {

constexpr std::uint64_t kSeed = 7;

std::uint64_t kmers_of(unsigned k) { return std::uint64_t{1} << (2 * k); }

// Some k-mers often, many once; also the first and the last of all.
void fill(unsigned k, std::uint64_t additions, counter_table& table,
          std::map<std::uint64_t, std::uint64_t>& expected) {
  std::mt19937_64 random(kSeed);
  const auto add = [&](std::uint64_t kmer) {
    table.add(kmer);
    ++expected[kmer];
  };
  add(0);
  add(kmers_of(k) - 1);
  for (std::uint64_t i = 0; i < additions; ++i) {
    add(random() % 4 == 0 ? random() % 100 % kmers_of(k) : random() % kmers_of(k));
  }
  table.flush();
}

class EveryK : public testing::TestWithParam<unsigned> {};

TEST_P(EveryK, CountsWhatWasAdded) {
  const unsigned k = GetParam();
  counter_table table(k, 0);
  std::map<std::uint64_t, std::uint64_t> expected;
  fill(k, 60'000, table, expected);  // the smallest table grows twice

  EXPECT_EQ(table.distinct(), expected.size());
  spectrum found(100'000);
  table.add_to(found);
  spectrum wanted(100'000);
  for (const auto& [kmer, count] : expected) {
    ASSERT_EQ(table.count_of(kmer), count) << "k-mer " << kmer;
    wanted.add(count);
  }
  EXPECT_EQ(found.all().total, 60'002u);
  EXPECT_EQ(found.all().distinct, wanted.all().distinct);
  EXPECT_EQ(found.all().greatest, wanted.all().greatest);
  for (std::uint64_t count = 1; count <= found.count_max(); ++count) {
    ASSERT_EQ(found.number(count), wanted.number(count)) << "count " << count;
  }
}

INSTANTIATE_TEST_SUITE_P(CounterTable, EveryK,
                         testing::Values(1u, 3u, 5u, 7u, 9u, 15u, 21u, 27u, 31u));

TEST(CounterTable, HasSixBitsForACountAtFirstAndIsExactNevertheless) {
  counter_table table(31, 0);
  constexpr std::uint64_t kCount = 1'000'003;
  for (std::uint64_t i = 0; i < kCount; ++i) table.add(42);
  table.add(43);
  table.flush();
  EXPECT_EQ(table.count_of(42), kCount);
  EXPECT_EQ(table.count_of(43), 1u);
  EXPECT_EQ(table.count_of(44), 0u);

  spectrum s(100);
  table.add_to(s);
  EXPECT_EQ(s.above(), 1u);
  EXPECT_EQ(s.number(1), 1u);
  EXPECT_EQ(s.all().total, kCount + 1);
  EXPECT_EQ(s.all().greatest, kCount);
}

TEST(CounterTable, KeepsLargeCountsWhenItGrows) {
  counter_table table(31, 0);
  for (std::uint64_t i = 0; i < 1000; ++i) table.add(42);
  for (std::uint64_t kmer = 1000; kmer < 100'000; ++kmer) table.add(kmer);
  for (std::uint64_t i = 0; i < 1000; ++i) table.add(42);
  table.flush();
  EXPECT_EQ(table.count_of(42), 2000u);
  EXPECT_EQ(table.distinct(), 99'001u);
}

// k-mers whose hashes are neighbours crowd one place of the table: the displacement, not the load,
// makes it grow.
TEST(CounterTable, GrowsWhenOnePlaceIsCrowded) {
  constexpr unsigned k = 31;
  std::uint64_t inverse = 1;  // of the multiplier, mod 2^64, by Newton's iteration
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  for (int i = 0; i < 6; ++i) inverse *= 2 - kMultiplier * inverse;

  counter_table table(k, 0);
  constexpr std::uint64_t kCrowd = 1500, kAt = std::uint64_t{1} << 60;
  const auto kmer_of = [&](std::uint64_t i) { return ((kAt + (i << 40)) * inverse) % kmers_of(k); };
  for (std::uint64_t i = 0; i < kCrowd; ++i) table.add(kmer_of(i));
  for (std::uint64_t i = 0; i < kCrowd; ++i) table.add(kmer_of(i));
  table.flush();
  EXPECT_EQ(table.distinct(), kCrowd);
  for (std::uint64_t i = 0; i < kCrowd; ++i) ASSERT_EQ(table.count_of(kmer_of(i)), 2u) << i;
}

TEST(Spectrum, PutsGreatCountsTogether) {
  spectrum s(3);
  for (std::uint64_t count : {1, 1, 2, 4, 5}) s.add(count);
  s.replace(2, 3);
  EXPECT_EQ(s.number(1), 2u);
  EXPECT_EQ(s.number(2), 0u);
  EXPECT_EQ(s.number(3), 1u);
  EXPECT_EQ(s.above(), 2u);
  EXPECT_EQ(s.all().total, 14u);
  EXPECT_EQ(s.all().distinct, 5u);
  EXPECT_EQ(s.all().greatest, 5u);
  EXPECT_EQ(s.parts().size(), 3u);
  EXPECT_EQ(s.parts().back().count, 4u);
}

}  // namespace
}  // namespace kmer
