// SPDX-License-Identifier: Apache-2.0
// What segment_allocate leaves to the symmetric heap.
#include "spmd.hpp"

// Where no frame was ever used, more than half of the segment, and that beside a symmetric block.
SPMD_CASE(segment, all_that_is_free_can_be_allocated) {
  const auto ranks = std::size_t(spmd::size());
  const std::size_t all = ramjet::segment_bytes();
  void* first = ramjet::segment_allocate(all / 8 * 5);
  if (first == nullptr) return spmd::skip("another case has used a frame");
  ramjet::segment_free(first);
  for (int i = 0; i < 3; ++i) {
    void* const most = ramjet::segment_allocate(all / 8 * 7);
    EXPECT(most != nullptr);
    ramjet::segment_free(most);
    const auto symmetric = ramjet::all_spread_malloc(ranks, all / 8 * 7);
    EXPECT(symmetric != nullptr);
    EXPECT(ramjet::segment_allocate(all / 8) == nullptr);
    ramjet::all_spread_free(symmetric);
  }
  const auto symmetric = ramjet::all_spread_malloc(ranks, all / 8);
  void* const rest = ramjet::segment_allocate(all / 16 * 13);
  EXPECT(rest != nullptr && symmetric != nullptr);
  const auto* const end = static_cast<std::byte*>(rest) + all / 16 * 13;
  EXPECT(end <= ramjet::segment_begin(spmd::rank()) + all / 8 * 7);
  ramjet::segment_free(rest);
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(symmetric);
}

// Neither a request for more than there is, nor one for which what is free is not in one piece.
SPMD_CASE(segment, what_is_refused_takes_nothing) {
  const std::size_t all = ramjet::segment_bytes(), part = all / 16;
  EXPECT(ramjet::segment_allocate(all) == nullptr);
  void* const first = ramjet::segment_allocate(part);
  void* const second = ramjet::segment_allocate(part);
  EXPECT(first != nullptr && second != nullptr);
  ramjet::segment_free(first);
  EXPECT(ramjet::segment_allocate(all - 2 * part) == nullptr);
  const auto symmetric = ramjet::all_spread_malloc(std::size_t(spmd::size()), 64);
  EXPECT(symmetric != nullptr);
  void* const again = ramjet::segment_allocate(part);
  void* const more = ramjet::segment_allocate(part);
  EXPECT(again != nullptr && more != nullptr);
  const std::byte* const half = ramjet::segment_begin(spmd::rank()) + all / 2;
  EXPECT(again < half && second < half && more < half);
  for (void* const memory : {again, second, more}) ramjet::segment_free(memory);
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(symmetric);
}
