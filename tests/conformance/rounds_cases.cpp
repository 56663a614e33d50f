// SPDX-License-Identifier: Apache-2.0
// quiesce separates rounds: when it returns at a rank, that rank has handled all messages of the
// round and none of the next one. A rank that returns early sends at once, without a barrier.
//
// Threads: main.
#include <array>
#include <utility>
#include <vector>

#include "spmd.hpp"

namespace {

enum kind : unsigned {
  kRequest,
  kMedium,
  kAggregated,
  kChained,
  kLong,
  kCall,
  kReply,
  kKinds,
};

std::array<unsigned, kKinds> handled;  // in this round

void note(kind k) { ++handled[k]; }

void on_request() { note(kRequest); }
void on_medium(ramjet::request_token, ramjet::payload p) {
  EXPECT_EQUAL(p.count, 100u);
  note(kMedium);
}
void on_item(unsigned) { note(kAggregated); }
void on_hop(unsigned left) {
  if (left == 0) return note(kChained);
  EXPECT_OK(ramjet::chain<on_hop>(spmd::right(), left - 1));
}
void on_long(ramjet::deposit) { note(kLong); }
unsigned on_call(unsigned x) {
  note(kCall);
  return x + 1;
}
void on_answer(ramjet::reply_token) { note(kReply); }
void on_ask(ramjet::request_token t) { ramjet::reply<on_answer>(std::move(t)); }

}  // namespace

template <>
inline constexpr bool ramjet::aggregated<&on_item> = true;

namespace {

// One message of every kind to every rank. `places`: one in the segment of each.
void send_round(const std::vector<std::byte*>& places) {
  std::byte bytes[100] = {};
  for (int to = 0; to < spmd::size(); ++to) {
    EXPECT_OK(ramjet::request<on_request>(to));
    EXPECT_OK(ramjet::request_medium<on_medium>(to, bytes, sizeof bytes));
    EXPECT_OK(ramjet::request<on_item>(to, 7u));
    EXPECT_OK(ramjet::chain<on_hop>(to, 3u));
    EXPECT_OK(ramjet::request_long<on_long>(to, places[std::size_t(to)], bytes, sizeof bytes));
    EXPECT_OK(ramjet::request<on_ask>(to));
  }
}

void expect_round(unsigned of_each_kind) {
  for (unsigned& count : handled) EXPECT_EQUAL(std::exchange(count, 0), of_each_kind);
}

}  // namespace

SPMD_CASE(quiescence, separates_rounds) {
  const auto n = unsigned(spmd::size());
  const auto rounds = unsigned(spmd::scaled(1000, 20));
  auto* const place = static_cast<std::byte*>(ramjet::segment_allocate(100));
  EXPECT(place != nullptr);
  std::vector<std::byte*> places(n);
  EXPECT_OK(ramjet::all_gather(place, places.data()));
  for (unsigned round = 0; round < rounds; ++round) {
    auto answer = ramjet::call<on_call>(spmd::right(), round);
    for (unsigned to = 1; to < n; ++to) {
      const unsigned other = (unsigned(spmd::right()) + to) % n;
      EXPECT_EQUAL(ramjet::call<on_call>(int(other), round).get(), round + 1);
    }
    send_round(places);
    EXPECT_OK(ramjet::quiesce());
    expect_round(n);
    EXPECT_EQUAL(answer.get(), round + 1);
  }
  EXPECT_OK(ramjet::barrier());
  ramjet::segment_free(place);
}

namespace {
unsigned tokens;
void on_token() { ++tokens; }
}  // namespace

// One message a round to the right neighbour only, while ranks are slow at random moments: most
// lanes carry nothing but the next round's messages.
SPMD_CASE(quiescence, separates_rounds_of_a_ring) {
  const auto rounds = unsigned(spmd::scaled(5000, 50));
  spmd::random random(spmd::given.seed + unsigned(spmd::rank()));
  for (unsigned round = 0; round < rounds; ++round) {
    EXPECT_OK(ramjet::request<on_token>(spmd::right()));
    if (random.below(16) == 0)
      for (std::uint64_t i = random.below(2000); i > 0; --i) ramjet::poll();
    EXPECT_OK(ramjet::quiesce());
    EXPECT_EQUAL(std::exchange(tokens, 0), 1u);
  }
}

// A full lane of the next round waits behind quiesce, and is handled after it.
SPMD_CASE(quiescence, holds_more_than_a_lane) {
  const auto rounds = unsigned(spmd::scaled(20, 2));
  const auto count = unsigned(spmd::scaled(20'000, 1000));
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < count; ++i) EXPECT_OK(ramjet::request<on_token>(spmd::right()));
    EXPECT_OK(ramjet::quiesce());
    EXPECT_EQUAL(std::exchange(tokens, 0), count);
  }
}
