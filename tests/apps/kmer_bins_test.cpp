// SPDX-License-Identifier: Apache-2.0
// The way of k-mers from bases to counts: splitter, records, bin_store and count_table, against
// plain definitions.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bin_store.hpp"
#include "count_table.hpp"
#include "minimizer.hpp"
#include "spectrum.hpp"
#include "splitter.hpp"
#include "super_kmer.hpp"

namespace kmer {
namespace {

constexpr std::uint64_t kSeed = 7;
using bytes = std::vector<std::uint8_t>;

// Bases, with stretches of one letter, so that some super-k-mers are as long as they can be.
bytes some_bases(std::size_t count) {
  std::mt19937_64 random(kSeed);
  bytes codes(count);
  for (std::size_t i = 0; i < count; ++i) {
    codes[i] = static_cast<std::uint8_t>(i / 1000 % 3 == 1 ? 2 : random() % 4);
  }
  codes.resize(count + run_collector::kSlack);
  return codes;
}

wide_key canonical_at(const bytes& codes, std::size_t at, unsigned k) {
  wide_key forward = 0, reverse = 0;
  for (unsigned i = 0; i < k; ++i) {
    forward = forward * 4 + codes[at + i];
    reverse += wide_key{3u - codes[at + i]} << (2 * i);
  }
  return std::min(forward, reverse);
}

class EveryK : public testing::TestWithParam<unsigned> {};

// Every k-mer once, in order, and always in the bin that it would have alone, in either direction.
TEST_P(EveryK, SplitsAndPacksWithoutLoss) {
  const unsigned k = GetParam();
  constexpr std::uint32_t kBins = 37;
  constexpr std::size_t kLetters = 5000;
  const bytes codes = some_bases(kLetters);
  bytes other(codes.rend() - kLetters, codes.rend());
  for (std::uint8_t& c : other) c = static_cast<std::uint8_t>(3 - c);
  other.resize(kLetters + run_collector::kSlack);
  splitter split(k, kBins), alone(k, kBins);
  std::vector<std::uint32_t> bins;
  std::vector<wide_key> found;
  const std::vector<std::uint32_t> lengths{kLetters};
  split.split({{codes.data(), kLetters}, lengths},
              [&](std::uint32_t bin, const std::uint8_t* at, unsigned number) {
                ASSERT_LE(number, super_kmer::kNumberMax);
                char record[super_kmer::kBytesMax + super_kmer::kSlack];
                const char* end = super_kmer::write(record, at, k, number);
                ASSERT_EQ(static_cast<std::size_t>(end - record), super_kmer::bytes_of(k, number));
                bins.insert(bins.end(), number, bin);
                EXPECT_TRUE(super_kmer::for_each_kmer<wide_key>(
                    record, end, k, [&](wide_key key) { found.push_back(key); }));
              });
  ASSERT_EQ(found.size(), kLetters - k + 1);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_TRUE(found[i] == canonical_at(codes, i, k)) << i;
    ASSERT_LT(bins[i], kBins);
    ASSERT_EQ(bins[i], alone.bin_of(codes.data() + i)) << i;
    ASSERT_EQ(bins[i], alone.bin_of(other.data() + (kLetters - k - i))) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Bins, EveryK,
                         testing::Values(1u, 2u, 3u, 4u, 8u, 9u, 16u, 17u, 18u, 21u, 31u, 32u, 33u,
                                         48u, 62u, 63u));

template <class Key>
void count_at_random(unsigned k, std::uint64_t additions, std::uint64_t expected_keys) {
  std::mt19937_64 random(kSeed);
  std::map<Key, std::uint64_t> expected;
  count_table<Key> table;
  table.reset(10);
  table.add(1);  // what came before a reset is gone
  table.reset(expected_keys);
  for (std::uint64_t i = 0; i < additions; ++i) {
    const Key any = (Key{random()} << (4 * sizeof(Key)) ^ random()) & mask_of<Key>(k);
    Key key = random() % 4 == 0 ? any % 100 : any;
    if (i < 2) key = (Key{0} - i) & mask_of<Key>(k);
    table.add(key);
    ++expected[key];
  }
  table.flush();
  EXPECT_EQ(table.distinct(), expected.size());
  std::size_t seen = 0;
  table.for_each([&](const auto& slot) {
    ++seen;
    const auto at = expected.find(slot.key);
    ASSERT_TRUE(at != expected.end());
    ASSERT_EQ(at->second, slot.count);
  });
  EXPECT_EQ(seen, expected.size());
}

// Parts of all keys, one after the other: each key is in one of them, all are nearly of one size,
// and hashes ascend from part to part.
TEST(CountTable, CountsInParts) {
  constexpr std::uint64_t kParts = 7, kKeys = 20'000;
  std::mt19937_64 random(kSeed);
  std::vector<wide_key> keys(kKeys);
  for (wide_key& key : keys) key = (wide_key{random()} << 62 ^ random()) & mask_of<wide_key>(63);
  count_table<wide_key> table;
  std::uint64_t seen = 0, greatest = 0;
  for (std::uint64_t part = 0; part < kParts; ++part) {
    table.reset(0, kParts);
    for (const wide_key key : keys) {
      if (count_table<wide_key>::part_of(key, kParts) == part) table.add(key);
    }
    table.flush();
    EXPECT_NEAR(static_cast<double>(table.distinct()), kKeys / kParts, kKeys / kParts * 0.1);
    seen += table.distinct();
    const std::uint64_t before = greatest;
    table.for_each([&](const auto& slot) {
      EXPECT_GE(hash_of(slot.key), before);
      greatest = std::max(greatest, hash_of(slot.key));
    });
  }
  EXPECT_EQ(seen, kKeys);
}

TEST(CountTable, CountsThroughGrowth) {
  for (const unsigned k : {1u, 2u, 5u, 21u, 31u, 32u}) count_at_random<narrow_key>(k, 60'000, 0);
  for (const unsigned k : {1u, 33u, 63u, 64u}) count_at_random<wide_key>(k, 60'000, 0);
}

TEST(CountTable, CountsWithRoom) {
  count_at_random<narrow_key>(21, 60'000, 60'000);
  count_at_random<wide_key>(63, 5, 60'000);
}

// Small pages, then huge ones, then more of these: what was there stays, and more is zero.
TEST(WordMemory, KeepsItsWordsWhenItGrows) {
  word_memory memory;
  std::uint64_t held = 0;
  for (const std::uint64_t words : {1'000u, 500u, 60'000u, 200'000u, 700'000u, 3'000'000u}) {
    memory.grow(words);
    ASSERT_GE(memory.words(), words);
    for (std::uint64_t i = 0; i < held; ++i) ASSERT_EQ(memory[i], i + 1);
    for (std::uint64_t i = held; i < memory.words(); ++i) ASSERT_EQ(memory[i], 0u) << i;
    for (std::uint64_t i = held; i < memory.words(); ++i) memory[i] = i + 1;
    held = memory.words();
  }
}

// Whatever was in the memory that a table is given, also where the table grows into it.
TEST(CountTable, CountsInUsedMemory) {
  constexpr std::uint64_t kKeys = 50'000;
  word_memory memory(100'000);
  std::memset(memory.data(), 0xFF, memory.words() * sizeof(std::uint64_t));
  count_table<narrow_key> table(std::move(memory));
  table.reset(0);
  for (std::uint64_t i = 0; i < 2 * kKeys; ++i) table.add(i % kKeys);
  table.flush();
  EXPECT_EQ(table.distinct(), kKeys);
  std::vector<bool> seen(kKeys);
  table.for_each([&](const auto& slot) {
    ASSERT_LT(slot.key, kKeys);
    ASSERT_EQ(slot.count, 2u);
    ASSERT_FALSE(seen[slot.key]);
    seen[slot.key] = true;
  });
}

// Keys whose slots are the last ones of a table go on at its beginning, before and after it grows.
TEST(CountTable, GrowsWhereKeysCrowdAtAnEnd) {
  constexpr std::uint64_t kInverse = 0xF1DE83E19937733D;  // of the hash's factor, modulo 2^64
  static_assert(kHashFactor * kInverse == 1);
  constexpr std::uint64_t kKeys = 4'000;
  count_table<narrow_key> table;
  table.reset(0);
  for (std::uint64_t i = 0; i < 2 * kKeys; ++i) {
    const std::uint64_t n = i % kKeys;
    table.add((n % 2 == 0 ? n : ~n) * kInverse);  // hashes are the least and the greatest ones
  }
  table.flush();
  EXPECT_EQ(table.distinct(), kKeys);
  std::uint64_t slots = 0;
  table.for_each([&](const auto& slot) {
    ++slots;
    EXPECT_EQ(slot.count, 2u);
  });
  EXPECT_EQ(slots, kKeys);
}

// How many files of this process have no name any more.
int nameless_files(const std::string& folder) {
  int number = 0;
  DIR* open = opendir("/proc/self/fd");
  for (const dirent* e = readdir(open); e != nullptr; e = readdir(open)) {
    char target[4096] = {};
    const std::string link = std::string("/proc/self/fd/") + e->d_name;
    if (readlink(link.c_str(), target, sizeof target - 1) < 0) continue;
    const std::string_view where(target);
    number += where.starts_with(folder) && where.ends_with("(deleted)") ? 1 : 0;
  }
  closedir(open);
  return number;
}

// Bins of different sizes, filled in turns, come back whole, whatever went to the file.
void fill_and_read(std::uint64_t memory_bytes, bool spills) {
  constexpr std::size_t kBins = 40;
  const std::string folder = testing::TempDir();
  const int before = nameless_files(folder);
  bin_store store(kBins, memory_bytes, folder);
  std::vector<std::string> expected(kBins);
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t bin = std::min(random() % kBins, random() % kBins);
    std::string block(random() % 1000 + 1, '\0');
    for (char& c : block) c = static_cast<char>(random());
    store.append(bin, block.data(), block.size(), 3);
    expected[bin] += block;
  }
  EXPECT_EQ(store.spilled_bytes() > 0, spills);
  EXPECT_EQ(nameless_files(folder) - before, spills ? 1 : 0);
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    std::string found;
    EXPECT_TRUE(
        store.for_each_chunk(bin, [&](const char* at, const char* end) { found.append(at, end); }));
    EXPECT_EQ(store.bytes_in(bin), expected[bin].size());
    EXPECT_EQ(store.kmers_in(bin) % 3, 0u);
    ASSERT_TRUE(found == expected[bin]) << bin;
    store.release(bin);
    EXPECT_EQ(store.bytes_in(bin), 0u);
  }
  EXPECT_EQ(store.problem(), "");
}

TEST(BinStore, KeepsAllInMemory) { fill_and_read(std::uint64_t{1} << 30, false); }
TEST(BinStore, SpillsWhatItHasNoRoomFor) { fill_and_read(std::uint64_t{4} << 20, true); }

TEST(BinStore, KeepsMoreThanTheFewThatWereExpected) {
  bin_store store(3, std::uint64_t{1} << 30, testing::TempDir(), 1000);
  const std::string block(1000, 'x');
  for (std::size_t i = 0; i < 3'000; ++i) store.append(i % 3, block.data(), block.size(), 1);
  std::uint64_t found = 0;
  for (std::size_t bin = 0; bin < 3; ++bin) {
    ASSERT_TRUE(store.for_each_chunk(bin, [&](const char* at, const char* end) {
      found += static_cast<std::uint64_t>(std::count(at, end, 'x'));
    }));
  }
  EXPECT_EQ(found, 3'000'000u);
}

TEST(BinStore, SaysWhyItCannotSpill) {
  bin_store store(1, 0, "/nowhere/at/all");
  const std::string block(1000, 'x');
  for (int i = 0; i < 10'000; ++i) store.append(0, block.data(), block.size(), 1);
  EXPECT_EQ(store.problem(),
            "cannot make a temporary file in /nowhere/at/all: No such file or directory");
}

// As on a full disk: the file may become a megabyte long.
TEST(BinStore, SaysWhatStopsItsFileFromGrowing) {
  const rlimit before = [] {
    rlimit r{};
    getrlimit(RLIMIT_FSIZE, &r);
    return r;
  }();
  const rlimit small{1 << 20, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  bin_store store(1, 0, testing::TempDir());
  const std::string block(1000, 'x');
  for (int i = 0; i < 10'000; ++i) store.append(0, block.data(), block.size(), 1);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(store.problem(),
            "cannot write a temporary file in " + testing::TempDir() + ": File too large");
}

TEST(Spectrum, PutsGreatCountsTogether) {
  spectrum s(3);
  for (std::uint64_t count : {1, 1, 3, 4, 5}) s.add(count);
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

TEST(Spectrum, TellsGreatCountsApartWithoutAPlaceForEach) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
  spectrum s(kMost);
  for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{16383}, std::uint64_t{16384},
                                    std::uint64_t{70000}, std::uint64_t{70000}, kMost, kMost + 1,
                                    kMost + 9}) {
    s.add(count);
  }
  EXPECT_EQ(s.number(16383), 1u);
  EXPECT_EQ(s.number(16384), 1u);
  EXPECT_EQ(s.number(70000), 2u);
  EXPECT_EQ(s.number(70001), 0u);
  EXPECT_EQ(s.number(kMost), 1u);
  EXPECT_EQ(s.above(), 2u);
  std::vector<std::uint64_t> counts;
  for (const spectrum::part& p : s.parts()) counts.push_back(p.count);
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{1, 16383, 16384, 70000, kMost, kMost + 1}));
}

}  // namespace
}  // namespace kmer
