// SPDX-License-Identifier: Apache-2.0
// Whatever the files and the number of ranks: all of the input is dealt, and nothing of it twice.
#include "share.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kmer {
namespace {

// Only its presence counts here.
class some_text final : public text_file {
 public:
  std::uint64_t size() const override { return 0; }
  void read(std::uint64_t, char*, std::size_t) override { FAIL(); }
};

input_file plain(const std::string& path, std::uint64_t bytes) {
  return {.path = path, .bytes = bytes, .text_bytes = bytes, .text = std::make_shared<some_text>()};
}
input_file gzip(const std::string& path, std::uint64_t bytes) {
  return {.path = path, .bytes = bytes, .text_bytes = 4 * bytes};
}

std::vector<piece> all_shares(const std::vector<input_file>& files, int ranks) {
  std::vector<piece> all;
  for (int rank = 0; rank < ranks; ++rank) {
    for (const piece& p : share_of(files, rank, ranks)) all.push_back(p);
  }
  return all;
}

TEST(Share, PlainFilesAreCutIntoEqualRangesThatMeet) {
  const std::vector<input_file> files = {plain("a", 1000), plain("b", 1), plain("c", 37)};
  for (int ranks = 1; ranks <= 100; ++ranks) {
    std::map<std::string, std::uint64_t> reached;
    for (int rank = 0; rank < ranks; ++rank) {
      std::uint64_t bytes = 0;
      for (const piece& p : share_of(files, rank, ranks)) {
        ASSERT_TRUE(p.text);
        ASSERT_EQ(p.begin, reached[p.path]);
        ASSERT_LT(p.begin, p.end);
        reached[p.path] = p.end;
        bytes += p.end - p.begin;
      }
      ASSERT_LE(bytes, 1038u / static_cast<unsigned>(ranks) + 1);
    }
    EXPECT_EQ(reached["a"], 1000u);
    EXPECT_EQ(reached["b"], 1u);
    EXPECT_EQ(reached["c"], 37u);
  }
}

TEST(Share, StandardInputIsReadByTheRoot) {
  for (int rank = 0; rank < 3; ++rank) {
    const input_file standard_input{.path = "-", .is_pipe = true};
    const auto mine = share_of({standard_input, gzip("a", 10)}, rank, 3);
    EXPECT_EQ(mine.size(), rank == 0 || rank == 2 ? 1u : 0u) << rank;
    if (rank == 0) {
      EXPECT_EQ(mine.front().path, "-");
    }
  }
}

TEST(Share, StreamsAreDealtLargestFirst) {
  const std::vector<input_file> files = {gzip("a", 10), gzip("b", 10), gzip("c", 10), gzip("d", 30),
                                         gzip("e", 5)};
  std::set<std::string> seen;
  std::uint64_t most = 0;
  for (int rank = 0; rank < 2; ++rank) {
    std::uint64_t load = 0;
    for (const piece& p : share_of(files, rank, 2)) {
      EXPECT_TRUE(seen.insert(p.path).second) << p.path << " is read twice";
      EXPECT_FALSE(p.text);
      for (const input_file& f : files) load += f.path == p.path ? f.bytes : 0;
    }
    most = std::max(most, load);
  }
  EXPECT_EQ(seen.size(), 5u);
  EXPECT_EQ(most, 35u);
}

TEST(Share, TheSameFileTwiceIsTwoFiles) {
  EXPECT_EQ(all_shares({plain("a", 10), plain("a", 10)}, 1).size(), 2u);
  EXPECT_EQ(all_shares({gzip("a", 10), gzip("a", 10)}, 2).size(), 2u);
}

}  // namespace
}  // namespace kmer
