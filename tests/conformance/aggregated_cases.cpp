// SPDX-License-Identifier: Apache-2.0
// Aggregated handlers: each item is handled once, in order, whatever else is sent; alone at once,
// behind a busy receiver in blocks.
#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "spmd.hpp"

namespace {

using word = std::uint64_t;

word sum(word mine) {
  EXPECT_OK(ramjet::all_reduce(mine, [](word a, word b) { return a + b; }));
  return mine;
}

// --- Numbered items -----------------------------------------------------------------------------

std::vector<word> next_item;  // by sender

void on_item(int from, word i) {
  word& next = next_item[std::size_t(from)];
  EXPECT_EQUAL(i, next);
  ++next;
}

struct numbered {
  int from;
  word i;
};
std::vector<word> next_in_block;
word blocks, items;

void on_items(std::span<const numbered> all) {
  EXPECT(!all.empty());
  ++blocks;
  items += all.size();
  for (const numbered& n : all) {
    word& next = next_in_block[std::size_t(n.from)];
    EXPECT_EQUAL(n.i, next);
    ++next;
  }
}

// Comes after all items that were sent before it.
void on_mark(int from, word sent) {
  EXPECT_EQUAL(next_item[std::size_t(from)], sent);
  EXPECT_EQUAL(next_in_block[std::size_t(from)], sent);
}
void on_long_mark(int from, word sent, ramjet::payload p) {
  EXPECT_EQUAL(p.count, 100u);
  on_mark(from, sent);
}

void expect_items_of_all() {
  next_item.assign(std::size_t(spmd::size()), 0);
  next_in_block = next_item;
  EXPECT_OK(ramjet::barrier());
}

}  // namespace

template <>
inline constexpr bool ramjet::aggregated<&on_item> = true;

SPMD_CASE(aggregated, items_arrive_once_and_in_order) {
  expect_items_of_all();
  const auto count = word(spmd::scaled(100'000, 1000));
  for (word i = 0; i < count; ++i)
    for (int to = 0; to < spmd::size(); ++to) {
      EXPECT_OK(ramjet::request<&on_item>(to, spmd::rank(), i));
      EXPECT_OK(ramjet::request<&on_items>(to, numbered{spmd::rank(), i}));
    }
  EXPECT_OK(ramjet::quiesce());
  for (const word n : next_item) EXPECT_EQUAL(n, count);
  for (const word n : next_in_block) EXPECT_EQUAL(n, count);
}

SPMD_CASE(aggregated, other_messages_come_after_the_items_before_them) {
  expect_items_of_all();
  spmd::random random(spmd::given.seed * 77 + unsigned(spmd::rank()));
  const std::vector<std::byte> payload(100);
  const auto count = word(spmd::scaled(30'000, 500));
  for (word i = 0; i < count; ++i) {
    EXPECT_OK(ramjet::request<&on_items>(spmd::right(), numbered{spmd::rank(), i}));
    EXPECT_OK(ramjet::chain<&on_item>(spmd::right(), spmd::rank(), i));
    if (random.below(50) == 0)
      EXPECT_OK(ramjet::request<&on_mark>(spmd::right(), spmd::rank(), i + 1));
    if (random.below(50) == 0)
      EXPECT_OK(ramjet::chain<&on_mark>(spmd::right(), spmd::rank(), i + 1));
    if (random.below(50) == 0)
      EXPECT_OK(ramjet::chain_medium<&on_long_mark>(spmd::right(), payload.data(), payload.size(),
                                                    spmd::rank(), i + 1));
  }
  EXPECT_OK(ramjet::quiesce());
  const auto left = std::size_t((spmd::rank() + spmd::size() - 1) % spmd::size());
  EXPECT_EQUAL(next_item[left], count);
  EXPECT_EQUAL(next_in_block[left], count);
}

// A sender that does not poll goes on while its receiver does not: blocks fill. The last block of a
// stream needs no further message to leave.
SPMD_CASE(aggregated, items_behind_a_busy_receiver_come_in_blocks) {
  expect_items_of_all();
  blocks = items = 0;
  const word count = 2000;
  EXPECT_OK(ramjet::barrier());
  for (word i = 0; i < count; ++i)
    while (ramjet::try_request<&on_items>(spmd::right(), numbered{spmd::rank(), i}) ==
           ramjet::status::retry)
      ramjet::poll();
  EXPECT_OK(ramjet::wait_until([=] { return items == count; }));
  EXPECT_EQUAL(items, count);
  EXPECT(blocks <= count / 2);  // far fewer: blocks double while their receiver keeps up
  EXPECT_OK(ramjet::quiesce());
}

SPMD_CASE(aggregated, one_item_needs_no_other) {
  expect_items_of_all();
  for (word i = 0; i < 100; ++i) {
    EXPECT_OK(ramjet::request<&on_item>(spmd::right(), spmd::rank(), i));
    const auto left = std::size_t((spmd::rank() + spmd::size() - 1) % spmd::size());
    EXPECT_OK(ramjet::wait_until([=] { return next_item[left] > i; }));
  }
  EXPECT_OK(ramjet::quiesce());
}

namespace {

// --- Refusals: what is refused leaves no trace ---------------------------------------------------

word refused_next;
void on_refused(word i) {
  EXPECT_EQUAL(i, refused_next);
  ++refused_next;
}

}  // namespace
template <>
inline constexpr bool ramjet::aggregated<&on_refused> = true;

SPMD_CASE(aggregated, try_request_gives_up_and_loses_nothing) {
  refused_next = 0;
  EXPECT_OK(ramjet::barrier());
  const auto count = word(spmd::scaled(200'000, 2000));
  for (word i = 0; i < count;) {
    const ramjet::status s = ramjet::try_request<&on_refused>(spmd::right(), i);
    EXPECT(s == ramjet::status::ok || s == ramjet::status::retry);
    if (s == ramjet::status::ok)
      ++i;
    else
      ramjet::poll();
  }
  EXPECT(ramjet::try_request<&on_refused>(spmd::size(), count) == ramjet::status::bad_rank);
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(refused_next, count);
}

namespace {

// --- Large items, odd sizes ----------------------------------------------------------------------

struct large {
  word i;
  std::array<unsigned char, 733> bytes;
};
word large_next, odd_next;
void on_large(large l) {
  EXPECT_EQUAL(l.i, large_next);
  for (const unsigned char b : l.bytes) EXPECT(b == (unsigned char)(l.i));
  ++large_next;
}
void on_odd(std::array<unsigned char, 3> i) {
  EXPECT_EQUAL(word(i[0] | i[1] << 8 | i[2] << 16), odd_next);
  ++odd_next;
}

}  // namespace
template <>
inline constexpr bool ramjet::aggregated<&on_large> = true;
template <>
inline constexpr bool ramjet::aggregated<&on_odd> = true;

SPMD_CASE(aggregated, items_of_any_size) {
  large_next = odd_next = 0;
  EXPECT_OK(ramjet::barrier());
  const auto count = word(spmd::scaled(5000, 100));
  for (word i = 0; i < count; ++i) {
    large l{.i = i, .bytes = {}};
    l.bytes.fill((unsigned char)(i));
    EXPECT_OK(ramjet::request<&on_large>(spmd::right(), l));
    for (word k = 3 * i; k < 3 * i + 3; ++k)
      EXPECT_OK(ramjet::request<&on_odd>(
          spmd::right(), std::array<unsigned char, 3>{(unsigned char)(k), (unsigned char)(k >> 8),
                                                      (unsigned char)(k >> 16)}));
  }
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(large_next, count);
  EXPECT_EQUAL(odd_next, 3 * count);
}

namespace {

// --- Out of handlers -----------------------------------------------------------------------------

word storm_handled;
void on_storm(unsigned depth, word seed);

}  // namespace
template <>
inline constexpr bool ramjet::aggregated<&on_storm> = true;
namespace {

void on_storm(unsigned depth, word seed) {
  ++storm_handled;
  if (depth == 0) return;
  spmd::random random(seed);
  for (int i = 0; i < 2; ++i) {
    const int to = int(random.below(unsigned(spmd::size())));
    EXPECT_OK(ramjet::chain<&on_storm>(to, depth - 1, random.next()));
  }
}

}  // namespace

SPMD_CASE(aggregated, storm_out_of_handlers) {
  unsigned depth = 16;
  for (double scale = spmd::given.scale; scale < 0.7 && depth > 6; scale *= 2) --depth;
  for (int n = spmd::size(); n > 1; n /= 2) --depth;
  storm_handled = 0;
  EXPECT_OK(ramjet::barrier());
  spmd::random random(spmd::given.seed * 1000 + unsigned(spmd::rank()));
  constexpr unsigned kRoots = 4;
  for (unsigned i = 0; i < kRoots; ++i)
    EXPECT_OK(ramjet::request<&on_storm>(int(random.below(unsigned(spmd::size()))), depth,
                                         random.next()));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(sum(storm_handled), ((word{2} << depth) - 1) * kRoots * unsigned(spmd::size()));
}

namespace {

// --- A block's reply -----------------------------------------------------------------------------

struct asked {
  unsigned slot;
  word value;
};
std::vector<word> answers;

void on_squares(ramjet::reply_token, ramjet::payload p) {
  for (const asked& a : p.as<asked>()) answers[a.slot] = a.value;
}
void on_asked(ramjet::request_token t, std::span<const asked> all) {
  std::vector<asked> squares(all.begin(), all.end());
  for (asked& a : squares) a.value *= a.value;
  ramjet::reply_medium<&on_squares>(std::move(t), squares.data(), squares.size() * sizeof(asked));
}

}  // namespace

SPMD_CASE(aggregated, a_block_is_replied_to_at_once) {
  const auto count = unsigned(spmd::scaled(50'000, 500));
  answers.assign(count, 0);
  EXPECT_OK(ramjet::barrier());
  for (unsigned i = 0; i < count; ++i)
    EXPECT_OK(ramjet::request<&on_asked>(int(i % unsigned(spmd::size())), asked{i, i}));
  EXPECT_OK(ramjet::quiesce());
  for (unsigned i = 0; i < count; ++i) EXPECT_EQUAL(answers[i], word(i) * i);
}

namespace {

// --- A long reply --------------------------------------------------------------------------------

using eightfold = std::array<asked, 8>;
word long_answers = 0;

void on_eightfold(ramjet::reply_token, ramjet::payload p) {
  for (const eightfold& all : p.as<eightfold>())
    for (const asked& a : all) long_answers += a.value;
}
void on_asked_for_eight(ramjet::request_token t, std::span<const asked> all) {
  std::vector<eightfold> found(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) found[i].fill(all[i]);
  ramjet::reply_medium<&on_eightfold>(std::move(t), found.data(), found.size() * sizeof(eightfold));
}

}  // namespace

// Of the fullest blocks that a receiver can get: it takes nothing before the sender waits.
SPMD_CASE(aggregated, a_reply_is_eight_times_as_long_as_its_block) {
  const auto count = unsigned(spmd::scaled(20'000, 1'000));
  long_answers = 0;
  EXPECT_OK(ramjet::barrier());
  const int next = (spmd::rank() + 1) % spmd::size();
  for (unsigned i = 0; i < count; ++i)
    EXPECT_OK(ramjet::request<&on_asked_for_eight>(next, asked{i, 1}));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(long_answers, word{8} * count);
}

namespace {

// --- Long blocks ---------------------------------------------------------------------------------

std::size_t longest_block = 0, long_block_items = 0;

void on_run(std::span<const asked> all) {
  longest_block = std::max(longest_block, all.size() * sizeof(asked));
  long_block_items += all.size();
}

}  // namespace

// Between machines a block is a call of the system, and worth more bytes.
SPMD_CASE(aggregated, blocks_to_other_machines_are_longer) {
  constexpr std::size_t kNear = 8 * 1024, kFar = 60 * 1024;
  const auto count = unsigned(spmd::scaled(50'000, 20'000));
  longest_block = long_block_items = 0;
  EXPECT_OK(ramjet::barrier());
  const int across = (spmd::rank() + spmd::size() / 2) % spmd::size();
  if (spmd::rank() < spmd::size() / 2)
    for (unsigned i = 0; i < count; ++i) EXPECT_OK(ramjet::request<&on_run>(across, asked{i, 1}));
  EXPECT_OK(ramjet::quiesce());
  if (spmd::rank() < spmd::size() / 2 || spmd::size() % 2 != 0) return;
  EXPECT_EQUAL(long_block_items, count);
  EXPECT(longest_block <= kFar);
  if (ramjet::node_of(across) != ramjet::node_of(spmd::rank())) EXPECT(longest_block > kNear);
}
