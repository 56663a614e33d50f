// SPDX-License-Identifier: Apache-2.0
// One cache by hand, and all caches at once against one each.
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "papers/study/cache/cache.hpp"
#include "papers/study/cache/cache_sweep.hpp"

using study::access_counts;
using study::cache;
using study::cache_shape;
using study::cache_sweep;

namespace {

using trace = std::vector<std::pair<std::uint64_t, bool>>;  // address, writes

void expect_same_counts(const trace& accesses) {
  cache_sweep sweep;
  for (const auto& [address, writes] : accesses)
    writes ? sweep.write(address) : sweep.read(address);
  const std::vector<cache_shape> shapes = sweep.shapes();
  ASSERT_EQ(shapes.size(), 4u * 3 * 8);
  for (const cache_shape& shape : shapes) {
    cache one(shape);
    for (const auto& [address, writes] : accesses)
      writes ? one.write(address, 4) : one.read(address, 4);
    EXPECT_EQ(sweep.of(shape), one.counts())
        << shape.bytes << " bytes, " << shape.ways << " ways, blocks of " << shape.block_bytes;
  }
}

// Accesses near the ones before, and now and then somewhere else: what programs do.
trace wander(unsigned seed, std::size_t count, std::uint64_t memory, unsigned writes_of_100) {
  std::mt19937_64 random(seed);
  trace t;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t how = random() % 16;
    if (how == 0)
      at = random() % memory;
    else if (how < 4)
      at = t[random() % t.size()].first;
    else
      at = (at + 4) % memory;
    t.emplace_back(at & ~std::uint64_t{3}, random() % 100 < writes_of_100);
  }
  return t;
}

}  // namespace

TEST(Cache, ReplacesTheBlockUsedLeastRecently) {
  cache c({.bytes = 32, .ways = 2, .block_bytes = 8});  // two sets
  c.read(0, 4);
  c.read(16, 4);
  c.read(4, 4);   // the first block again
  c.read(32, 4);  // drops 16
  c.read(0, 4);
  c.read(16, 4);
  EXPECT_EQ(c.counts(), (access_counts{.reads = 6, .read_misses = 4}));
}

TEST(Cache, WritesBackWhatWasWritten) {
  cache behind({.bytes = 1024, .ways = 1, .block_bytes = 16});
  cache c({.bytes = 8, .ways = 1, .block_bytes = 8}, &behind);
  c.write(0, 4);
  c.read(4, 4);
  c.read(8, 4);  // 0 is written back
  c.read(0, 4);  // 8 is clean
  c.write(1 << 20, 4);
  EXPECT_EQ(c.counts(),
            (access_counts{
                .reads = 3, .read_misses = 2, .writes = 2, .write_misses = 2, .write_backs = 1}));
  EXPECT_EQ(behind.counts(),
            (access_counts{.reads = 4, .read_misses = 2, .writes = 1, .write_backs = 1}));
}

TEST(Cache, AnAccessToTwoBlocksIsOneMiss) {
  cache c({.bytes = 64, .ways = 2, .block_bytes = 16});
  c.read(14, 4);
  c.read(16, 4);
  c.read(30, 8);
  EXPECT_EQ(c.counts(), (access_counts{.reads = 3, .read_misses = 2}));
}

TEST(Cache, RefusesShapesThatDoNotExist) {
  EXPECT_THROW(cache({.bytes = 1024, .ways = 4, .block_bytes = 24}), std::invalid_argument);
  EXPECT_THROW(cache({.bytes = 96 * 1024, .ways = 2, .block_bytes = 64}), std::invalid_argument);
  EXPECT_THROW(cache({.bytes = 0, .ways = 2, .block_bytes = 64}), std::invalid_argument);
  EXPECT_THROW(cache({.bytes = 1024, .ways = 0, .block_bytes = 64}), std::invalid_argument);
  EXPECT_NO_THROW(cache({.bytes = 48 * 1024, .ways = 12, .block_bytes = 64}));
}

TEST(CacheSweep, RefusesWhatItDoesNotHold) {
  const cache_sweep sweep;
  EXPECT_THROW(static_cast<void>(sweep.of({512, 1, 64})), std::out_of_range);
  EXPECT_THROW(static_cast<void>(sweep.of({262144, 4, 64})), std::out_of_range);
  EXPECT_THROW(static_cast<void>(sweep.of({1024, 8, 64})), std::out_of_range);
  EXPECT_THROW(static_cast<void>(sweep.of({1024, 2, 128})), std::out_of_range);
  EXPECT_THROW(cache_sweep({.bytes_min = 128, .block_bytes = {64}}), std::invalid_argument);
}

TEST(CacheSweep, CountsWhatACacheOfEachShapeCounts) {
  expect_same_counts({});
  for (unsigned seed = 1; seed <= 4; ++seed)
    expect_same_counts(wander(seed, 40'000, std::uint64_t{1} << (12 + 2 * seed), 25 * seed - 25));
}

TEST(CacheSweep, CountsStridesThatCollide) {
  trace t;
  for (int round = 0; round < 6; ++round)
    for (std::uint64_t i = 0; i < 300; ++i)
      t.emplace_back(i * (1024 << round % 3), (i + unsigned(round)) % 3 == 0);
  expect_same_counts(t);
}
