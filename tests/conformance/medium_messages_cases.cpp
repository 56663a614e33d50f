// SPDX-License-Identifier: Apache-2.0
// Medium messages: any size from nothing to the most, whole, contiguous, aligned and unchanged.
#include <chrono>
#include <thread>
#include <vector>

#include "spmd.hpp"

namespace {

using word = std::uint64_t;
constexpr std::size_t kMost = ramjet::medium_bytes_max;

struct medium_state {
  unsigned asked = 0, answered = 0;
} sizes, mixed;

void check(const ramjet::payload& p, word key, std::size_t count) {
  EXPECT_EQUAL(p.size(), count);
  EXPECT_EQUAL(spmd::first_wrong(p.data(), p.size(), key), count);
  if (count != 0) EXPECT_EQUAL(reinterpret_cast<std::uintptr_t>(p.data()) % 16, 0u);
}

void on_size_echo(ramjet::reply_token, std::size_t count, ramjet::payload p) {
  check(p, count, count);
  ++sizes.answered;
}
void on_size(ramjet::request_token t, std::size_t count, ramjet::payload p) {
  check(p, count, count);
  ++sizes.asked;
  // Straight out of the payload: the bytes are copied before reply_medium returns.
  ramjet::reply_medium<on_size_echo>(std::move(t), p.data(), p.size(), count);
}

}  // namespace

SPMD_CASE(medium_messages, sizes_around_every_boundary) {
  std::vector<std::size_t> counts;
  for (std::size_t c = 0; c <= 130; ++c) counts.push_back(c);
  for (std::size_t power = 256; power <= kMost; power *= 2)
    for (std::size_t c : {power - 1, power, power + 1})
      if (c <= kMost) counts.push_back(c);
  counts.insert(counts.end(), {kMost - 64, kMost - 63, 3 * kMost / 4, kMost, kMost, kMost, kMost});
  std::vector<std::byte> data(kMost);
  for (std::size_t count : counts) {
    spmd::fill(data.data(), count, count);
    EXPECT_OK(ramjet::request_medium<on_size>(spmd::right(), data.data(), count, count));
    spmd::fill(data.data(), count, count + 99);  // copied: ours again
  }
  const auto all = unsigned(counts.size());
  EXPECT_OK(ramjet::wait_until([all] { return sizes.asked == all && sizes.answered == all; }));
}

namespace {

struct wide {
  word w[40];
};
unsigned leads;

template <class... A>
void on_lead(std::size_t count, A... a, ramjet::payload p) {
  check(p, sizeof...(a), count);
  word i = 0;
  ((EXPECT_EQUAL(a, i), ++i), ...);
  ++leads;
}
void on_wide_lead(wide w, std::size_t count, ramjet::payload p) {
  check(p, 40, count);
  for (word i = 0; i < 40; ++i) EXPECT_EQUAL(w.w[i], i);
  ++leads;
}

}  // namespace

// Arguments beside a payload stand in the record, or before the payload where they do not fit.
SPMD_CASE(medium_messages, with_few_and_with_many_arguments) {
  std::vector<std::byte> data(5000);
  const int to = spmd::right();
  for (std::size_t count : {0u, 1u, 17u, 64u, 5000u}) {
    const auto send = [&]<class... A>(A... a) {
      spmd::fill(data.data(), count, sizeof...(A));
      EXPECT_OK((ramjet::request_medium<on_lead<A...>>(to, data.data(), count, count, a...)));
    };
    using w = word;
    send();
    send(w{0});
    send(w{0}, w{1}, w{2}, w{3});
    send(w{0}, w{1}, w{2}, w{3}, w{4});
    send(w{0}, w{1}, w{2}, w{3}, w{4}, w{5}, w{6}, w{7}, w{8});
    wide many;
    for (word i = 0; i < 40; ++i) many.w[i] = i;
    spmd::fill(data.data(), count, 40);
    EXPECT_OK(ramjet::request_medium<on_wide_lead>(to, data.data(), count, many, count));
  }
  EXPECT_OK(ramjet::wait_until([] { return leads == 30; }));
}

namespace {
void on_mixed_short(ramjet::request_token t, unsigned i) {
  EXPECT(t.rank() == (spmd::rank() + spmd::size() - 1) % spmd::size());
  EXPECT_EQUAL(i, mixed.asked);
  ++mixed.asked;
}
void on_mixed_medium(ramjet::request_token t, unsigned i, word key, ramjet::payload p) {
  check(p, key, p.size());
  on_mixed_short(std::move(t), i);
}
}  // namespace

// Far more than the payload ring holds, nobody answers, short messages in between: in order.
SPMD_CASE(medium_messages, streams_keep_their_order) {
  spmd::random random(spmd::given.seed + unsigned(spmd::rank()));
  std::vector<std::byte> data(kMost);
  spmd::fill(data.data(), kMost, 5);
  const auto count = unsigned(spmd::scaled(4000, 100));
  for (unsigned i = 0; i < count; ++i) {
    const std::size_t bytes = random.below(i % 16 == 0 ? kMost : 1000);
    if (i % 3 == 0) {
      EXPECT_OK(ramjet::request<on_mixed_short>(spmd::right(), i));
    } else {
      EXPECT_OK(ramjet::request_medium<on_mixed_medium>(spmd::right(), data.data(), bytes, i, 5u));
    }
  }
  EXPECT_OK(ramjet::wait_until([count] { return mixed.asked == count; }));
}

namespace {
unsigned exchanged;
void on_swap_back(ramjet::reply_token, word key, ramjet::payload p) {
  check(p, key, kMost);
  ++exchanged;
}
void on_swap(ramjet::request_token t, word key, ramjet::payload p) {
  check(p, key, kMost);
  ramjet::reply_medium<on_swap_back>(std::move(t), p.data(), p.size(), key);
}
}  // namespace

// Everyone sends the longest requests and answers with the longest replies, all at once: no cycle
// of full rings stops them.
SPMD_CASE(medium_messages, longest_both_ways_between_all) {
  const auto n = unsigned(spmd::size());
  const auto rounds = unsigned(spmd::scaled(160, 1) / n) + 1;
  std::vector<std::byte> data(kMost);
  spmd::fill(data.data(), kMost, unsigned(spmd::rank()));
  for (unsigned i = 0; i < rounds; ++i)
    for (unsigned to = 0; to < n; ++to)
      EXPECT_OK(ramjet::request_medium<on_swap>(int(to), data.data(), kMost, spmd::rank()));
  EXPECT_OK(ramjet::wait_until([=] { return exchanged == rounds * n; }));
}

namespace {
unsigned greeted, filled;
void on_greeting() { ++greeted; }
void on_filled(ramjet::reply_token, word key, ramjet::payload p) {
  check(p, key, kMost);
  ++filled;
}
void on_fill(ramjet::request_token t, word key) {
  std::vector<std::byte> data(kMost);
  spmd::fill(data.data(), kMost, key);
  ramjet::reply_medium<on_filled>(std::move(t), data.data(), kMost, key);
}
}  // namespace

// Requests wait for room for their replies while the one that sent them looks at nothing, so long
// that their lanes are not looked at any more either; and go on when it has taken some.
SPMD_CASE(medium_messages, replies_wait_for_one_that_does_not_poll) {
  constexpr unsigned kAsked = 12;  // three times what its ring holds
  for (int to = 0; to < spmd::size(); ++to) EXPECT_OK(ramjet::request<on_greeting>(to));
  EXPECT_OK(ramjet::wait_until([] { return greeted == unsigned(spmd::size()); }));
  for (unsigned i = 0; i < kAsked; ++i) EXPECT_OK(ramjet::request<on_fill>(spmd::right(), i));
  if (spmd::rank() % 2 == 0) {
    EXPECT_OK(ramjet::wait_until([] { return filled != 0; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  } else {
    for (int i = 0; i < 10'000; ++i) ramjet::poll();  // lanes that are quiet for that long are left
  }
  EXPECT_OK(ramjet::wait_until([] { return filled == kAsked; }));
}

namespace {
unsigned typed;
void on_typed(ramjet::payload p) {
  EXPECT_EQUAL(p.as<double>().size(), 3u);  // 25 bytes: three whole ones
  EXPECT(p.as<double>()[2] == 2.5);
  EXPECT_EQUAL(p.as<std::uint16_t>().size(), 12u);
  p.as<double>()[0] = 7;  // the handler may write
  ++typed;
}
}  // namespace

SPMD_CASE(medium_messages, payload_as_an_array) {
  const double values[4] = {0.5, 1.5, 2.5, 3.5};
  EXPECT_OK(ramjet::request_medium<on_typed>(spmd::right(), values, 25));
  EXPECT_OK(ramjet::wait_until([] { return typed == 1; }));
}

namespace {

unsigned replies_in_time, looked_after;
void on_early_reply(ramjet::reply_token) { ++replies_in_time; }
void on_look_after(ramjet::request_token t, word key, ramjet::payload p) {
  check(p, key, p.size());
  ramjet::reply<on_early_reply>(std::move(t));
  for (unsigned i = 0; i < 20; ++i) check(p, key, p.size());
  ++looked_after;
}

}  // namespace

// The payload is the handler's until it returns, also after it has replied: no later request of the
// same sender is written over it.
SPMD_CASE(medium_messages, a_payload_outlives_the_reply) {
  constexpr std::size_t kCount = 40'000;  // six fill the ring
  const auto rounds = unsigned(spmd::scaled(400));
  std::vector<std::byte> data(kCount);
  for (unsigned i = 0; i < rounds; ++i) {
    spmd::fill(data.data(), kCount, i);
    EXPECT_OK(ramjet::request_medium<on_look_after>(spmd::right(), data.data(), kCount, word{i}));
  }
  EXPECT_OK(
      ramjet::wait_until([rounds] { return replies_in_time == rounds && looked_after == rounds; }));
}
