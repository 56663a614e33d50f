// SPDX-License-Identifier: Apache-2.0
// Chains: messages sent from inside handlers, whatever is full, in order and without a loss.
#include <array>
#include <cstring>
#include <vector>

#include "spmd.hpp"

namespace {

using word = std::uint64_t;

word sum(word mine) {
  EXPECT_OK(ramjet::all_reduce(mine, [](word a, word b) { return a + b; }));
  return mine;
}

// --- A storm: every message that is taken sends two more, to anyone, until its depth is used up
// ----

word storm_handled;

void on_storm(ramjet::request_token, unsigned depth, word seed) {
  ++storm_handled;
  if (depth == 0) return;
  spmd::random random(seed);
  for (int i = 0; i < 2; ++i) {
    const int to = int(random.below(unsigned(spmd::size())));
    EXPECT_OK(ramjet::chain<on_storm>(to, depth - 1, random.next()));
  }
}

}  // namespace

SPMD_CASE(chains, storm_between_all) {
  unsigned depth = 16;
  for (double scale = spmd::given.scale; scale < 0.7 && depth > 6; scale *= 2) --depth;
  for (int n = spmd::size(); n > 1; n /= 2) --depth;
  spmd::random random(spmd::given.seed * 1000 + unsigned(spmd::rank()));
  constexpr unsigned kRoots = 4;
  for (unsigned i = 0; i < kRoots; ++i)
    EXPECT_OK(
        ramjet::chain<on_storm>(int(random.below(unsigned(spmd::size()))), depth, random.next()));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(sum(storm_handled), ((word{2} << depth) - 1) * kRoots * unsigned(spmd::size()));
}

namespace {

// --- Bursts from one handler that no ring can hold -----------------------------------------------

struct burst_state {
  std::vector<unsigned> next;
} bursts;
constexpr unsigned kBurst = 20'000;
unsigned burst_count() { return unsigned(spmd::scaled(kBurst, 600)); }

void on_burst_part(ramjet::request_token t, unsigned i) {
  unsigned& next = bursts.next[std::size_t(t.rank())];
  EXPECT_EQUAL(i, next);
  ++next;
}
void on_burst_payload(ramjet::request_token t, unsigned i, ramjet::payload p) {
  EXPECT_EQUAL(spmd::first_wrong(p.bytes, p.count, i), p.count);
  on_burst_part(std::move(t), i);
}
void on_burst() {
  std::array<std::byte, 300> data;
  for (int to = 0; to < spmd::size(); ++to) {
    for (unsigned i = 0; i < burst_count(); ++i) {
      if (i % 7 == 3) {
        spmd::fill(data.data(), i % data.size(), i);
        EXPECT_OK(ramjet::chain_medium<on_burst_payload>(to, data.data(), i % data.size(), i));
      } else {
        EXPECT_OK(ramjet::chain<on_burst_part>(to, i));
      }
    }
  }
}

}  // namespace

SPMD_CASE(chains, a_handler_sends_more_than_any_ring_holds) {
  bursts.next.assign(std::size_t(spmd::size()), 0);
  EXPECT_OK(ramjet::barrier());
  EXPECT_OK(ramjet::request<on_burst>(spmd::right()));
  EXPECT_OK(ramjet::quiesce());
  for (unsigned next : bursts.next) EXPECT_EQUAL(next, burst_count());
}

namespace {
unsigned line_next;
void on_line(unsigned i) {
  EXPECT_EQUAL(i, line_next);
  ++line_next;
}
}  // namespace

// What is requested after a chain to the same place arrives after it, however long the queue.
SPMD_CASE(chains, a_request_waits_behind_the_queue) {
  const auto count = unsigned(spmd::scaled(50'000, 1000));
  unsigned i = 0;
  for (; i < count; ++i) EXPECT_OK(ramjet::chain<on_line>(spmd::right(), i));
  const ramjet::status s = ramjet::try_request<on_line>(spmd::right(), i);
  EXPECT(s == ramjet::status::ok || s == ramjet::status::retry);
  if (s == ramjet::status::ok) ++i;
  for (unsigned end = i + 10; i < end; ++i) {
    EXPECT_OK(ramjet::request<on_line>(spmd::right(), i));
    EXPECT_OK(ramjet::chain<on_line>(spmd::right(), ++i));
  }
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(line_next, i);
}

namespace {

// --- Chains from reply handlers, and beside a reply ----------------------------------------------

word hops_handled, hop_answers;
void on_hop(ramjet::request_token, unsigned left);
void on_hop_answer(ramjet::reply_token t, unsigned left) {
  ++hop_answers;
  if (left != 0) EXPECT_OK(ramjet::chain<on_hop>(t.rank(), left - 1));
}
void on_hop(ramjet::request_token t, unsigned left) {
  ++hops_handled;
  if (left % 2 == 0 && left != 0) EXPECT_OK(ramjet::chain<on_hop>(spmd::right(), left - 1));
  ramjet::reply<on_hop_answer>(std::move(t), left % 2 == 0 ? 0 : left);
}

}  // namespace

SPMD_CASE(chains, from_reply_handlers_and_beside_a_reply) {
  const auto hops = unsigned(spmd::scaled(2000, 50));
  constexpr unsigned kWalkers = 10;
  for (unsigned i = 0; i < kWalkers; ++i) EXPECT_OK(ramjet::chain<on_hop>(spmd::right(), hops));
  EXPECT_OK(ramjet::quiesce());
  const word walkers = kWalkers * unsigned(spmd::size());
  EXPECT_EQUAL(sum(hops_handled), walkers * (hops + 1));
  EXPECT_EQUAL(sum(hop_answers), walkers * (hops + 1));
}

namespace {
word pushed;
void on_push_to_self(unsigned left) {
  ++pushed;
  if (left != 0) EXPECT_OK(ramjet::chain<on_push_to_self>(spmd::rank(), left - 1));
}
}  // namespace

SPMD_CASE(chains, to_oneself) {
  const auto count = unsigned(spmd::scaled(20'000, 100));
  EXPECT_OK(ramjet::chain<on_push_to_self>(spmd::rank(), count));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(pushed, count + 1);
}

namespace {
unsigned large_chains;
void on_large_chain(word key, ramjet::payload p) {
  EXPECT_EQUAL(p.count, ramjet::medium_bytes_max - key);
  EXPECT_EQUAL(spmd::first_wrong(p.bytes, p.count, key), p.count);
  ++large_chains;
}
void on_start_large() {
  std::vector<std::byte> data(ramjet::medium_bytes_max);
  for (word key = 0; key < 12; ++key) {
    spmd::fill(data.data(), data.size(), key);
    EXPECT_OK(
        ramjet::chain_medium<on_large_chain>(spmd::right(), data.data(), data.size() - key, key));
  }
}
}  // namespace

SPMD_CASE(chains, longest_payloads) {
  EXPECT_OK(ramjet::request<on_start_large>(spmd::right()));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(large_chains, 12u);
}
