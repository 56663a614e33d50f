// SPDX-License-Identifier: Apache-2.0
// The symmetric heap and stack, and spread arrays on them.
#include <map>
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::spread_array;
using ramjet::spread_frame;
using ramjet::spread_ptr;

// That every rank has the same.
template <class T>
void expect_everywhere(T mine) {
  T of_rank_0 = mine;
  EXPECT_OK(ramjet::broadcast(of_rank_0));
  EXPECT(of_rank_0 == mine);
}

}  // namespace

// A random history, the same on all ranks: one base for all, aligned, disjoint.
SPMD_CASE(symmetric, heap_blocks_do_not_overlap) {
  spmd::random random(spmd::given.seed);  // not of the rank
  std::map<std::byte*, std::pair<spread_ptr<void>, std::pair<std::size_t, unsigned>>> live;
  const auto steps = spmd::scaled(300, 30);
  for (unsigned i = 0; i < steps; ++i) {
    if (live.size() < 20 && random.below(3) != 0) {
      const std::size_t blocks = random.below(40), bytes = random.below(3000);
      const spread_ptr<void> p = ramjet::all_spread_malloc(blocks, bytes);
      EXPECT(p != nullptr);
      EXPECT_EQUAL(p.rank(), 0);
      EXPECT_EQUAL(p.bits() % 64, 0u);
      expect_everywhere(p);
      const auto ranks = std::size_t(spmd::size());
      const std::size_t mine = (blocks + ranks - 1) / ranks * bytes;
      auto* at = static_cast<std::byte*>(p.local());
      EXPECT_EQUAL(ramjet::segment_owner(at), spmd::rank());
      spmd::fill(at, mine, i);
      EXPECT(!live.contains(at));
      live[at] = {p, {mine, i}};
    } else if (!live.empty()) {
      auto victim = live.begin();
      std::advance(victim, random.below(live.size()));
      const auto [bytes, key] = victim->second.second;
      EXPECT_EQUAL(spmd::first_wrong(victim->first, bytes, key), bytes);
      ramjet::all_spread_free(victim->second.first);
      live.erase(victim);
    }
  }
  for (const auto& [at, what] : live) {
    EXPECT_EQUAL(spmd::first_wrong(at, what.second.first, what.second.second), what.second.first);
    ramjet::all_spread_free(what.first);
  }
  ramjet::all_spread_free(nullptr);
}

SPMD_CASE(symmetric, exhaustion_is_null_everywhere) {
  const std::size_t all = ramjet::segment_bytes();
  EXPECT(ramjet::all_spread_malloc(std::size_t(spmd::size()), all) == nullptr);
  EXPECT(ramjet::all_spread_malloc(~std::size_t{0}, ~std::size_t{0}) == nullptr);
  const auto most = ramjet::all_spread_malloc(std::size_t(spmd::size()), all / 8 * 5);
  EXPECT(most != nullptr);
  EXPECT(ramjet::all_spread_malloc(std::size_t(spmd::size()), all / 8 * 5) == nullptr);
  EXPECT(ramjet::segment_allocate(all / 2) == nullptr);  // not what is symmetric
  ramjet::all_spread_free(most);
  const auto again = ramjet::all_spread_malloc(std::size_t(spmd::size()), all / 8 * 5);
  EXPECT(again == most);
  ramjet::all_spread_free(again);
}

// The heap takes what segment_allocate leaves in every rank, also where that is more than half, and
// the frames of the stack stay where they are.
SPMD_CASE(symmetric, the_heap_takes_what_is_free) {
  const auto ranks = std::size_t(spmd::size());
  const std::size_t all = ramjet::segment_bytes();
  void* own = spmd::rank() == 0 ? ramjet::segment_allocate(all / 4) : nullptr;
  EXPECT(ramjet::all_spread_malloc(ranks, all / 8 * 7) == nullptr);  // not in rank 0
  {
    spread_frame frame;
    const auto a = frame.allocate<int>(ranks);
    *(a + spmd::rank()).local() = 1234;
    const auto small = ramjet::all_spread_malloc(ranks, all / 8 * 3);
    EXPECT(small != nullptr);
    expect_everywhere(small);
    const auto beside = ramjet::all_spread_malloc(ranks, all / 16 * 3);  // below the frame
    EXPECT(beside != nullptr);
    expect_everywhere(beside);
    spmd::fill(static_cast<std::byte*>(beside.local()), 4096, 1);
    spmd::fill(static_cast<std::byte*>(small.local()), 4096, 2);
    EXPECT_EQUAL(*(a + spmd::rank()).local(), 1234);
    ramjet::all_spread_free(beside);
    ramjet::all_spread_free(small);
  }
  ramjet::segment_free(own);
  const auto most = ramjet::all_spread_malloc(ranks, all / 8 * 7);
  EXPECT(most != nullptr);
  expect_everywhere(most);
  ramjet::all_spread_free(most);
}

SPMD_CASE(symmetric, frames_are_a_stack) {
  const std::size_t before = ramjet::spread_stack_bytes();
  spread_ptr<int> gone;
  {
    spread_frame outer;
    const auto a = outer.allocate<int>(100);
    expect_everywhere(a);
    EXPECT_EQUAL(a.bits() % 16, 0u);
    {
      spread_frame inner;
      gone = inner.allocate<int>(std::size_t(spmd::size()));
      expect_everywhere(gone);
      EXPECT(a < gone);
      *(gone + spmd::rank()).local() = 1000 + spmd::rank();
      EXPECT_OK(ramjet::barrier());
      EXPECT_EQUAL(int(gone[spmd::right()]), 1000 + spmd::right());
    }
    EXPECT_EQUAL(int(gone[spmd::right()]), 1000 + spmd::right());  // popped, and still there
    EXPECT_OK(ramjet::barrier());
    spread_frame next;
    EXPECT(next.allocate<int>(std::size_t(spmd::size())) == gone);
  }
  EXPECT_EQUAL(ramjet::spread_stack_bytes(), before);
}

// Every block of a three-dimensional array is where the rule says, and nobody else's.
SPMD_CASE(symmetric, arrays_are_spread_by_blocks) {
  const std::size_t a = 3, b = 4, c = 5, elements = 6;
  for (const bool on_heap : {false, true}) {
    spread_frame frame;
    auto array = on_heap ? spread_array<long>::all_malloc({a, b, c}, elements)
                         : spread_array<long>(frame, {a, b, c}, elements);
    EXPECT(array);
    EXPECT_EQUAL(array.blocks(), 60u);
    std::size_t mine = 0;
    array.for_my_blocks([&](std::size_t s, long* block) {
      for (std::size_t e = 0; e < elements; ++e) block[e] = long(s * 100 + e);
      ++mine;
    });
    std::size_t all = mine;
    EXPECT_OK(ramjet::all_reduce(all, [](std::size_t x, std::size_t y) { return x + y; }));
    EXPECT_EQUAL(all, 60u);
    std::size_t s = 0;
    for (std::size_t i = 0; i < a; ++i)
      for (std::size_t j = 0; j < b; ++j)
        for (std::size_t k = 0; k < c; ++k, ++s) {
          const auto block = array(i, j, k);
          EXPECT_EQUAL(block.rank(), int(s % std::size_t(spmd::size())));
          for (std::size_t e = 0; e < elements; ++e)
            EXPECT(block[std::ptrdiff_t(e)] == long(s * 100 + e));
        }
    EXPECT_OK(ramjet::barrier());
    if (on_heap) array.all_free();
  }
  unsigned count = 0;
  ramjet::for_my_2d(7, 9, [&](std::size_t i, std::size_t j) {
    EXPECT_EQUAL((i * 9 + j) % std::size_t(spmd::size()), std::size_t(spmd::rank()));
    ++count;
  });
  EXPECT_OK(ramjet::all_reduce(count, [](unsigned x, unsigned y) { return x + y; }));
  EXPECT_EQUAL(count, 63u);
}
