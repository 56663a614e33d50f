// SPDX-License-Identifier: Apache-2.0
// quiesce: after it, everything that was sent before it has been handled, everywhere.
#include "spmd.hpp"

namespace {

using word = std::uint64_t;
constexpr unsigned kRoundsMax = 64;
word handled[kRoundsMax];

word sum(word mine) {
  EXPECT_OK(ramjet::all_reduce(mine, [](word a, word b) { return a + b; }));
  return mine;
}

void on_walk(unsigned round, unsigned left, word seed) {
  ++handled[round];
  if (left == 0) return;
  spmd::random random(seed);
  const int to = int(random.below(unsigned(spmd::size())));
  EXPECT_OK(ramjet::chain<on_walk>(to, round, left - 1, random.next()));
}

}  // namespace

// Walks of one message at a time: hardly anything is in flight, and never nothing until the end.
SPMD_CASE(quiescence, waits_for_single_walkers) {
  const auto rounds = unsigned(spmd::scaled(30, 4));
  for (unsigned round = 0; round < rounds && round < kRoundsMax; ++round) {
    const unsigned walker = round % unsigned(spmd::size());
    const unsigned length = round * 13 % 200;
    if (unsigned(spmd::rank()) == walker)
      EXPECT_OK(ramjet::chain<on_walk>(spmd::right(), round, length, spmd::given.seed + round));
    EXPECT_OK(ramjet::quiesce());
    EXPECT_EQUAL(sum(handled[round]), word{length} + 1);
  }
}

namespace {
word next_round[3];
void on_round(unsigned round) { ++next_round[round]; }
}  // namespace

// A rank that has returned may send at once; that belongs to the next round and is lost in none.
SPMD_CASE(quiescence, rounds_follow_without_a_barrier) {
  const auto count = unsigned(spmd::scaled(2000, 20));
  const auto n = unsigned(spmd::size());
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned i = 0; i < count; ++i)
      for (unsigned to = 0; to < n; ++to) EXPECT_OK(ramjet::request<on_round>(int(to), round));
    EXPECT_OK(ramjet::quiesce());
    EXPECT_EQUAL(next_round[round], word{count} * n);
  }
}

SPMD_CASE(quiescence, of_nothing) {
  for (int i = 0; i < 5; ++i) EXPECT_OK(ramjet::quiesce());
}

namespace {
word asked, answered;
void on_answer(ramjet::reply_token) { ++answered; }
void on_ask(ramjet::request_token t) {
  ++asked;
  ramjet::reply<on_answer>(std::move(t));
}
}  // namespace

SPMD_CASE(quiescence, counts_replies) {
  const auto count = unsigned(spmd::scaled(5000, 10));
  for (unsigned i = 0; i < count; ++i) EXPECT_OK(ramjet::request<on_ask>(spmd::right()));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(asked, count);
  EXPECT_EQUAL(answered, count);
}
