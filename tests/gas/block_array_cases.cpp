// SPDX-License-Identifier: Apache-2.0
// Block arrays: every element has one place, the one that the rule says.
#include <algorithm>
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::block_array;

struct point {
  std::int32_t x, y, z;
};

// Every rank writes its own elements by plain references, and reads all by their indices.
void check_all_elements(const block_array<point>& a, std::size_t count, std::size_t block) {
  EXPECT_EQUAL(a.size(), count);
  EXPECT_EQUAL(a.block_elements(), block);
  std::size_t mine = 0, after = 0;
  a.for_my_elements([&](std::size_t i, point& p) {
    EXPECT(i >= after && i < count);
    after = i + 1;
    EXPECT_EQUAL(i / block % std::size_t(spmd::size()), std::size_t(spmd::rank()));
    EXPECT_EQUAL(a.owner_of(i), spmd::rank());
    p = {int(i), int(i * 2), spmd::rank()};
    ++mine;
  });
  std::size_t all = mine;
  EXPECT_OK(ramjet::all_reduce(all, [](std::size_t x, std::size_t y) { return x + y; }));
  EXPECT_EQUAL(all, count);
  for (std::size_t i = 0; i < count; ++i) {
    const point p = a[i];
    EXPECT(p.x == int(i) && p.y == int(i * 2) && p.z == a.owner_of(i));
    EXPECT_EQUAL(a.element(i).rank(), a.owner_of(i));
    if (i % block != 0) EXPECT(a.element(i) == a.element(i - 1) + 1);
  }
  EXPECT_OK(ramjet::barrier());
}

}  // namespace

SPMD_CASE(block_array, elements_are_where_the_rule_says) {
  for (const std::size_t block : {1, 3, 16})
    for (const std::size_t count : {0, 1, 2, 3, 47, 48, 49, 300}) {
      auto on_heap = block_array<point>::all_malloc(count, block);
      EXPECT(on_heap);
      check_all_elements(on_heap, count, block);
      on_heap.all_free();
      EXPECT(!on_heap);
      ramjet::spread_frame frame;
      check_all_elements(block_array<point>(frame, count, block), count, block);
    }
}

// The last block is cut off where the array ends.
SPMD_CASE(block_array, blocks_are_spans) {
  auto a = block_array<long>::all_malloc(103, 10);
  std::size_t elements = 0;
  a.for_my_blocks([&](std::size_t first, std::span<long> block) {
    EXPECT_EQUAL(first % 10, 0u);
    EXPECT_EQUAL(block.size(), first == 100 ? 3u : 10u);
    EXPECT(block.data() == a.element(first).local());
    elements += block.size();
  });
  EXPECT_OK(ramjet::all_reduce(elements, [](std::size_t x, std::size_t y) { return x + y; }));
  EXPECT_EQUAL(elements, 103u);
  a.all_free();
}

// Elements of others, assigned and counted up.
SPMD_CASE(block_array, elements_are_places) {
  const std::size_t count = 64;
  auto a = block_array<std::uint64_t>::all_malloc(count, 4);
  a.for_my_elements([](std::size_t, std::uint64_t& x) { x = 0; });
  EXPECT_OK(ramjet::barrier());
  for (std::size_t i = 0; i < count; ++i) ramjet::add(a.element(i), i);
  ramjet::sync_all();
  EXPECT_OK(ramjet::barrier());
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_EQUAL(std::uint64_t(a[i]), i * unsigned(spmd::size()));
  EXPECT_OK(ramjet::barrier());
  const auto last = count - 1 - std::size_t(spmd::rank()) % count;
  if (spmd::rank() < int(count)) a[last] = 7;
  EXPECT_OK(ramjet::barrier());
  std::size_t sevens = 0;
  for (std::size_t i = 0; i < count; ++i) sevens += a[i] == 7u;
  EXPECT(sevens >= std::min(count, std::size_t(spmd::size())));
  EXPECT_OK(ramjet::barrier());
  a.all_free();
  EXPECT(!block_array<int>::all_malloc(ramjet::segment_bytes() * std::size_t(spmd::size()), 1));
}
