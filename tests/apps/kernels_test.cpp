// SPDX-License-Identifier: Apache-2.0
// The checks of histogram, indexgather and matmul find what is wrong. A job of one rank.
#include <vector>

#include <gtest/gtest.h>
#include <ramjet/ramjet.hpp>

#include "histogram/updating.hpp"
#include "indexgather/gathering.hpp"
#include "matmul/multiplying.hpp"

namespace {

class Job : public testing::Environment {
 public:
  void SetUp() override {
    int argc = 0;
    char** argv = nullptr;
    ramjet::init(argc, argv);
  }
  void TearDown() override { ramjet::finalize(); }
};
const testing::Environment* const kJob = testing::AddGlobalTestEnvironment(new Job);

TEST(Histogram, ALostAndAStrayUpdateAreFound) {
  const histogram::options o{.table = 100, .updates = 1000};
  const std::vector<std::uint64_t> expected = histogram::expected_counters(o, o.table, 3);
  std::vector<std::uint64_t> found = expected;
  EXPECT_EQ(histogram::wrong_counters(found, expected), 0);
  --found[7];
  EXPECT_EQ(histogram::wrong_counters(found, expected), 1);
  ++found[99];
  EXPECT_EQ(histogram::wrong_counters(found, expected), 2);
}

TEST(Indexgather, WordsOfOtherPlacesAreFound) {
  const indexgather::options o;
  const std::vector<std::uint32_t> indices = {5, 0, 5, 999'999};
  std::vector<std::uint64_t> words;
  for (const std::uint32_t i : indices) words.push_back(indexgather::word_at(o, i));
  EXPECT_EQ(indexgather::wrong_words(o, words, indices), 0);
  std::swap(words[0], words[1]);
  words[3] = 0;
  EXPECT_EQ(indexgather::wrong_words(o, words, indices), 3);
}

TEST(Matmul, AMissingAndARepeatedUpdateAreFound) {
  const matmul::shape s{.n = 10, .terms = 6, .columns = 4};
  const matmul::room_for_a room(ramjet::all_spread_malloc(1, s.n * s.terms * sizeof(double)));
  matmul::product p(s, matmul::entries(1), room);
  EXPECT_GT(p.wrong(), 0);
  p.multiply();
  EXPECT_EQ(p.wrong(), 0);
  const std::uint64_t checksum = p.checksum();
  p.compute_only();
  EXPECT_GT(p.wrong(), 0);
  EXPECT_NE(p.checksum(), checksum);
  p.clear();
  *room = *room + 1;  // one number of A is another
  p.multiply();
  EXPECT_GT(p.wrong(), 0);
  EXPECT_LE(p.wrong(), s.columns);
}

}  // namespace
