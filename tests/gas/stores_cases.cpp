// SPDX-License-Identifier: Apache-2.0
// One-way stores, and the accounting that decides when they are there.
#include <unistd.h>

#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::global_ptr;
using ramjet::spread_ptr;
using word = std::uint64_t;

// A case starts with no credit: reset, and nobody stores before all have done so.
void start_afresh() {
  EXPECT_OK(ramjet::all_store_sync());
  ramjet::reset_store_sync();
  EXPECT_OK(ramjet::barrier());
}

}  // namespace

SPMD_CASE(stores, are_there_after_all_store_sync) {
  start_afresh();
  const auto ranks = std::size_t(spmd::size());
  const auto a = ramjet::all_spread_malloc<word[64]>(ranks);
  const auto rounds = spmd::scaled(200, 5);
  for (word round = 1; round <= rounds; ++round) {
    for (int r = 0; r < spmd::size(); ++r)
      ramjet::store(a[r] + spmd::rank(), round * 1000 + word(unsigned(spmd::rank())));
    EXPECT_OK(ramjet::all_store_sync());
    const word* mine = *(a + spmd::rank()).local();
    for (std::size_t r = 0; r < ranks; ++r) EXPECT_EQUAL(mine[r], round * 1000 + r);
    EXPECT_OK(ramjet::barrier());
  }
  ramjet::all_spread_free(a);
}

// Ranks that race ahead store the next phase's bytes while slower ones still wait in this phase:
// the bytes stay credit, and a store_sync of exactly their number ends.
SPMD_CASE(stores, bytes_of_the_next_phase_survive) {
  start_afresh();
  const auto a = ramjet::all_spread_malloc<word[2]>(std::size_t(spmd::size()));
  spmd::random random(spmd::given.seed + unsigned(spmd::rank()));
  const auto rounds = spmd::scaled(400, 10);
  for (word round = 1; round <= rounds; ++round) {
    const unsigned many = 1 + unsigned(random.below(5));
    for (unsigned i = 0; i < many; ++i) ramjet::store(a[spmd::right()], round);
    if (random.below(64) == 0) ::usleep(200);
    EXPECT_OK(ramjet::all_store_sync());
    const word now = a[spmd::rank()][0];
    EXPECT(now == round || now == round + 1);  // the sender may be in its next round
    ramjet::store(a[spmd::right()] + 1, round);  // may be there before its target left the call
    if (random.below(64) == 0) ::usleep(200);
    EXPECT_OK(ramjet::store_sync(sizeof(word)));
    EXPECT_EQUAL(word(a[spmd::rank()][1]), round);
  }
  EXPECT_OK(ramjet::all_store_sync());
  ramjet::all_spread_free(a);
}

// Phases of stores around tree broadcasts whose receivers consume, drop the rest, and send on.
SPMD_CASE(stores, tree_broadcast_between_phases) {
  start_afresh();
  constexpr std::size_t kWords = 300;
  const auto ranks = std::size_t(spmd::size());
  const auto scattered = ramjet::all_spread_malloc<word>(ranks * 10);
  const auto tree = ramjet::all_spread_malloc<word[kWords]>(ranks);
  word* mine = *(tree + spmd::rank()).local();
  const auto rounds = spmd::scaled(100, 5);
  for (word round = 1; round <= rounds; ++round) {
    for (std::size_t i = 0; i < ranks * 10; ++i)
      if (i / 10 == std::size_t(spmd::rank()))
        ramjet::store(scattered + std::ptrdiff_t(i), round + i);
    EXPECT_OK(ramjet::all_store_sync());
    ramjet::for_my_1d(ranks * 10, [&](std::size_t i) {
      EXPECT_EQUAL(*(scattered + std::ptrdiff_t(i)).local(), round + i);
    });
    if (spmd::rank() == 0) {
      for (std::size_t i = 0; i < kWords; ++i) mine[i] = round * 7 + i;
    } else {
      EXPECT_OK(ramjet::store_sync(kWords * sizeof(word)));
      ramjet::reset_store_sync();
    }
    for (int child = 2 * spmd::rank() + 1; child <= 2 * spmd::rank() + 2; ++child)
      if (child < spmd::size()) ramjet::bulk_store(*(tree + child), mine, kWords * sizeof(word));
    for (std::size_t i = 0; i < kWords; ++i) EXPECT_EQUAL(mine[i], round * 7 + i);
    EXPECT_OK(ramjet::barrier());
  }
  ramjet::all_spread_free(tree);
  ramjet::all_spread_free(scattered);
}

// A target that waits long enough to sleep is woken.
SPMD_CASE(stores, wake_a_sleeper) {
  start_afresh();
  const auto a = ramjet::all_spread_malloc<word>(std::size_t(spmd::size()));
  for (word round = 1; round <= 3; ++round) {
    if (spmd::rank() == 0) {
      ::usleep(60'000);
      for (int r = 0; r < spmd::size(); ++r) ramjet::store(a + r, round);
    }
    EXPECT_OK(ramjet::store_sync(sizeof(word)));
    EXPECT_EQUAL(ramjet::read(a + spmd::rank()), round);
    EXPECT_OK(ramjet::barrier());
  }
  ramjet::all_spread_free(a);
}

// Stores to oneself, of no bytes, and credit consumed in other pieces than it came.
SPMD_CASE(stores, credit_is_a_sum) {
  start_afresh();
  const auto a = ramjet::all_spread_malloc<word[8]>(std::size_t(spmd::size()));
  const global_ptr<word> own = a[spmd::rank()];
  const word values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  ramjet::bulk_store(own, values, 0);
  EXPECT_OK(ramjet::store_sync(0));
  ramjet::bulk_store(own, values, 24);
  ramjet::store(own + 3, 40);
  EXPECT_OK(ramjet::store_sync(8));
  EXPECT_OK(ramjet::store_sync(16));
  EXPECT_OK(ramjet::store_sync(8));
  ramjet::store(own, 10);
  ramjet::reset_store_sync();
  ramjet::store(global_ptr<std::uint16_t>(own) + 4, std::uint16_t(5));
  EXPECT_OK(ramjet::store_sync(2));
  EXPECT_EQUAL(ramjet::read(own), 10u);
  EXPECT_EQUAL(ramjet::read(own + 1), 5u);
  EXPECT_EQUAL(ramjet::read(own + 3), 40u);
  EXPECT_OK(ramjet::all_store_sync());
  ramjet::all_spread_free(a);
}

namespace {
ramjet::spread_ptr<std::uint64_t> answered_at;
void store_back(int to, std::uint64_t value) { ramjet::store(answered_at + to, value); }
}  // namespace

// A rank's handlers may store while it waits in all_store_sync; what they store may be consumed
// before that returns.
SPMD_CASE(stores, handlers_store_while_their_rank_waits) {
  answered_at = ramjet::all_spread_malloc<std::uint64_t>(std::size_t(spmd::size()));
  EXPECT_OK(ramjet::barrier());  // the handler's pointer is there
  const auto rounds = spmd::scaled(200, 10);
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    if (spmd::rank() == 0) {
      EXPECT_OK(ramjet::request<&store_back>(spmd::size() - 1, 0, round));
      EXPECT_OK(ramjet::store_sync(8));
      EXPECT_EQUAL(ramjet::read(answered_at), round);
    }
    EXPECT_OK(ramjet::all_store_sync());
  }
  ramjet::reset_store_sync();
  ramjet::all_spread_free(answered_at);
}
