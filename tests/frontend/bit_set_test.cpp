// SPDX-License-Identifier: Apache-2.0
#include "languages/support/bit_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace frontend {
namespace {

bit_set of(const std::set<std::size_t>& numbers) {
  bit_set made;
  for (const std::size_t i : numbers) made.add(i);
  return made;
}

bool is_in(const std::set<std::size_t>& a, const std::set<std::size_t>& b) {
  for (const std::size_t i : a)
    if (!b.contains(i)) return false;
  return true;
}

// Some numbers below `end`.
std::set<std::size_t> random_numbers(std::mt19937& random, std::size_t end) {
  std::set<std::size_t> made;
  for (std::size_t count = random() % 8; count != 0; --count) made.insert(random() % end);
  return made;
}

TEST(BitSet, IsASet) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t end = round % 2 == 0 ? 64 : 300;
    std::set<std::size_t> a = random_numbers(random, end);
    const std::set<std::size_t> b = random_numbers(random, end);
    bit_set made = of(a);
    EXPECT_EQ(made == of(b), a == b);
    EXPECT_EQ(made.is_in(of(b)), is_in(a, b));
    made.add(of(b));
    a.insert(b.begin(), b.end());
    EXPECT_TRUE(of(b).is_in(made));
    const bit_set copy = made;
    for (std::size_t i = 0; i < end; ++i) EXPECT_EQ(copy.contains(i), a.contains(i));
    EXPECT_EQ(copy, of(a));
    EXPECT_EQ(copy.hash(), of(a).hash());
  }
}

TEST(BitSet, RemovesAndKeepsOtherSets) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    const std::set<std::size_t> a = random_numbers(random, round % 2 == 0 ? 64 : 300);
    const std::set<std::size_t> b = random_numbers(random, round % 3 == 0 ? 64 : 300);
    std::set<std::size_t> rest, both;
    for (const std::size_t i : a) (b.contains(i) ? both : rest).insert(i);
    bit_set without = of(a), kept = of(a);
    without.remove(of(b));
    kept.keep_in(of(b));
    EXPECT_EQ(without, of(rest));
    EXPECT_EQ(kept, of(both));
    EXPECT_EQ(without.empty(), rest.empty());
    EXPECT_EQ(kept.has_several(), both.size() > 1);
    EXPECT_EQ(of(a).has_several(), a.size() > 1);
    std::vector<std::size_t> seen;
    of(a).each([&](std::size_t i) { seen.push_back(i); });
    EXPECT_EQ(seen, std::vector<std::size_t>(a.begin(), a.end()));
  }
}

// However it was made, it compares as its numbers do.
TEST(BitSet, RemovesNumbers) {
  std::mt19937 random(2);
  for (int round = 0; round < 1000; ++round) {
    std::set<std::size_t> numbers = random_numbers(random, 300);
    bit_set made = of(numbers);
    while (!numbers.empty()) {
      const std::size_t gone = random() % 300;
      EXPECT_EQ(made.remove(gone), numbers.erase(gone) != 0);
      if (numbers.empty()) break;
      const std::size_t first = *numbers.begin();
      EXPECT_TRUE(made.remove(first));
      numbers.erase(first);
      EXPECT_EQ(made, of(numbers));
      EXPECT_EQ(made.hash(), of(numbers).hash());
    }
    EXPECT_EQ(made, bit_set());
  }
}

TEST(BitSet, HasAllBelow) {
  for (const std::size_t count : {0, 1, 63, 64, 65, 128, 200}) {
    bit_set made;
    made.add_below(count);
    for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(made.contains(i), i < count);
    bit_set cleared = made;
    cleared.clear();
    EXPECT_EQ(cleared, bit_set());
  }
}

}  // namespace
}  // namespace frontend
