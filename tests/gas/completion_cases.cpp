// SPDX-License-Identifier: Apache-2.0
// Futures of single operations, and puts that tell their target.
#include <algorithm>
#include <array>
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::global_ptr;
using ramjet::spread_ptr;

struct block {
  std::uint64_t signal;
  std::uint64_t words[63];
};

spread_ptr<block> all_blocks() {
  const auto all = ramjet::all_spread_malloc<block>(std::size_t(spmd::size()));
  *(all + spmd::rank()).local() = {};
  EXPECT_OK(ramjet::barrier());
  return all;
}
void free_blocks(spread_ptr<block> all) {
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(all);
}
global_ptr<std::uint64_t> word_of(spread_ptr<block> b, int index) {
  return *global_ptr<std::uint64_t[63]>(b.member(&block::words)) + index;
}
global_ptr<std::uint64_t> signal_of(spread_ptr<block> b) { return b.member(&block::signal); }

int told = 0;
std::uint64_t told_sum = 0;
void take_words(ramjet::request_token, int from, ramjet::deposit where) {
  ++told;
  const auto* words = reinterpret_cast<const std::uint64_t*>(where.data());
  for (std::size_t i = 0; i < where.size() / sizeof *words; ++i) told_sum += words[i];
  told_sum += std::uint64_t(unsigned(from));
}

}  // namespace

SPMD_CASE(completion, a_future_is_one_operations) {
  const auto all = all_blocks();
  const auto there = all + spmd::right();
  const auto key = std::uint64_t(unsigned(spmd::rank())) + 7;
  EXPECT_OK(ramjet::put_future(word_of(there, 3), key).wait());
  auto got = ramjet::get_future(word_of(there, 3));
  EXPECT(got.valid());
  EXPECT_EQUAL(got.get(), key);
  EXPECT_EQUAL(ramjet::fetch_add_future(word_of(there, 3), 5).get(), key);
  EXPECT_EQUAL(ramjet::read(word_of(there, 3)), key + 5);

  std::array<std::uint64_t, 40> out{}, in{};
  std::ranges::generate(out, [n = key]() mutable { return n++; });
  EXPECT_OK(ramjet::bulk_put_future(word_of(there, 5), out.data(), sizeof out).wait());
  EXPECT_OK(ramjet::bulk_get_future(in.data(), word_of(there, 5), sizeof in).wait());
  EXPECT(in == out);

  bool heard = false;
  ramjet::get_future(word_of(there, 5)).then([&](ramjet::status s, std::uint64_t value) {
    heard = s == ramjet::status::ok && value == key;
  });
  EXPECT_OK(ramjet::wait_until([&] { return heard; }));
  EXPECT_OK(ramjet::bulk_get_future(nullptr, word_of(there, 0), 0).wait());
  free_blocks(all);
}

namespace {
constexpr std::size_t kLongBytes = 1 << 20;  // on a network it waits, and answers come meanwhile
std::byte* right_room = nullptr;
void on_room(ramjet::segment_ptr<std::byte> room) { right_room = room; }
std::uint64_t chained_here = 0, deposits_here = 0;
void on_chained(std::uint64_t by) { chained_here += by; }
void on_deposit(ramjet::deposit d) { deposits_here += d.count == kLongBytes; }
}  // namespace

// What continues a future may chain to the rank for which a long message is on its way.
SPMD_CASE(completion, a_long_message_and_what_is_chained_meanwhile_are_two) {
  const int left = (spmd::rank() + spmd::size() - 1) % spmd::size();
  right_room = nullptr;
  const auto all = all_blocks();
  auto* const mine = static_cast<std::byte*>(ramjet::segment_allocate(kLongBytes));
  EXPECT(mine != nullptr);
  EXPECT_OK(ramjet::request<on_room>(left, ramjet::segment_ptr<std::byte>(mine)));
  EXPECT_OK(ramjet::wait_until([] { return right_room != nullptr; }));
  const std::vector<std::byte> bytes(kLongBytes);
  const auto rounds = spmd::scaled(100, 10);
  chained_here = deposits_here = 0;
  EXPECT_OK(ramjet::barrier());
  std::uint64_t continued = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    for (int k = 0; k < 4; ++k)
      ramjet::get_future(word_of(all + spmd::right(), k)).then([&](ramjet::status, std::uint64_t) {
        ++continued;
        EXPECT_OK(ramjet::chain<on_chained>(spmd::right(), 1u));
      });
    EXPECT_OK(
        ramjet::request_long<on_deposit>(spmd::right(), right_room, bytes.data(), bytes.size()));
  }
  EXPECT_OK(ramjet::wait_until([&] { return continued == 4 * rounds; }));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(deposits_here, rounds);
  EXPECT_EQUAL(chained_here, 4 * rounds);
  EXPECT_OK(ramjet::barrier());
  ramjet::segment_free(mine);
  free_blocks(all);
}

// Round the ranks: each hears of its words from the left before it writes to the right. Long waits
// in between, so that some sleep.
SPMD_CASE(completion, a_signal_comes_after_its_value) {
  const auto all = all_blocks();
  const auto mine = all + spmd::rank(), there = all + spmd::right();
  const auto rounds = spmd::scaled(500, 20);
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    if (spmd::rank() == 0) ramjet::put_signal(word_of(there, 0), round, signal_of(there));
    EXPECT_OK(ramjet::wait_signal(signal_of(mine), round));
    EXPECT_EQUAL(ramjet::read(word_of(mine, 0)), round);
    if (spmd::rank() != 0) ramjet::put_signal(word_of(there, 0), round, signal_of(there));
  }
  free_blocks(all);
}

SPMD_CASE(completion, a_signal_counts_blocks) {
  const auto all = all_blocks();
  const auto there = all + spmd::right();
  std::array<std::uint64_t, 16> out;
  out.fill(std::uint64_t(unsigned(spmd::right())));
  for (int piece = 0; piece < 3; ++piece)
    ramjet::bulk_put_signal(word_of(there, 16 * piece), out.data(), sizeof out, signal_of(there),
                            sizeof out);
  EXPECT_OK(ramjet::wait_signal(signal_of(all + spmd::rank()), 3 * sizeof out));
  const block& mine = *(all + spmd::rank()).local();
  EXPECT(std::all_of(mine.words, mine.words + 48,
                     [](std::uint64_t w) { return w == unsigned(spmd::rank()); }));
  free_blocks(all);
}

SPMD_CASE(completion, a_handler_hears_of_a_bulk_put) {
  const auto all = all_blocks();
  std::array<std::uint64_t, 63> out;
  out.fill(2);
  told = 0;
  told_sum = 0;
  EXPECT_OK(ramjet::barrier());
  EXPECT_OK((ramjet::bulk_put_request<&take_words>(word_of(all + spmd::right(), 0), out.data(),
                                                   sizeof out, spmd::rank())));
  EXPECT_OK(ramjet::wait_until([] { return told == 1; }));
  const int left = (spmd::rank() + spmd::size() - 1) % spmd::size();
  EXPECT_EQUAL(told_sum, 63u * 2 + unsigned(left));
  EXPECT_EQUAL((all + spmd::rank()).local()->words[62], 2u);
  free_blocks(all);
}

namespace {

void on_row_back(ramjet::reply_token, ramjet::deposit d) {
  ++told;
  told_sum += d.as<std::uint64_t>()[0];
}
void on_row_wanted(ramjet::request_token t, ramjet::global_ptr<std::uint64_t> into) {
  const std::uint64_t value = 40 + unsigned(spmd::rank());
  ramjet::reply_long<&on_row_back>(std::move(t), into, &value, sizeof value);
}

}  // namespace

// By a global pointer, as bulk_put_request; a pointer to another rank's memory is refused.
SPMD_CASE(completion, long_messages_go_to_global_pointers) {
  const auto all = all_blocks();
  const std::uint64_t out[2] = {7, 8};
  const auto there = word_of(all + spmd::right(), 0);
  told = 0;
  told_sum = 0;
  EXPECT_OK(ramjet::barrier());
  EXPECT_OK((ramjet::request_long<&take_words>(spmd::right(), there, out, sizeof out, 0)));
  EXPECT_OK(ramjet::wait_until([] { return told == 1; }));
  EXPECT_EQUAL(told_sum, 15u);
  const auto outside = word_of(all + spmd::right(), 0) + (std::ptrdiff_t{1} << 44) / 8;
  EXPECT(ramjet::try_request_long<&take_words>(spmd::right(), outside, out, sizeof out, 0) ==
         ramjet::status::bad_address);
  if (spmd::size() > 1)
    EXPECT(ramjet::try_request_long<&take_words>(spmd::rank(), there, out, sizeof out, 0) ==
           ramjet::status::bad_address);
  EXPECT_OK(ramjet::barrier());
  told_sum = 0;
  EXPECT_OK(ramjet::request<&on_row_wanted>(spmd::right(), word_of(all + spmd::rank(), 4)));
  EXPECT_OK(ramjet::wait_until([] { return told == 2; }));
  EXPECT_EQUAL(told_sum, 40u + unsigned(spmd::right()));
  free_blocks(all);
}
