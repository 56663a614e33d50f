// SPDX-License-Identifier: Apache-2.0
// What is different where memory is reached by messages: copies of many parts, accesses from
// handlers, futures under way together, and the order of one rank's accesses to one place. On one
// node the same has to hold.
#include <algorithm>
#include <array>
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::global_ptr;
using ramjet::spread_ptr;
using ramjet::status;

constexpr std::size_t kBytes = 600'000;  // several of the longest messages
using area = std::uint8_t[kBytes];

int left() { return (spmd::rank() + spmd::size() - 1) % spmd::size(); }

spread_ptr<area> all_areas() {
  const auto all = ramjet::all_spread_malloc<area>(std::size_t(spmd::size()));
  EXPECT(all != nullptr);
  std::fill_n(*(all + spmd::rank()).local(), kBytes, std::uint8_t{0});
  EXPECT_OK(ramjet::barrier());
  return all;
}
void free_areas(spread_ptr<area> all) {
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(all);
}
global_ptr<std::uint8_t> bytes_of(spread_ptr<area> all, int rank) { return *(all + rank); }

// A rectangle there and back: by `write` to the right and by `read` from there.
template <class Write, class Read>
void rows_travel(const ramjet::rectangle& shape, Write&& write, Read&& read) {
  const auto all = all_areas();
  const auto there = bytes_of(all, spmd::right()) + 3;
  std::vector<std::uint8_t> out(shape.rows * shape.local_stride), in(out.size(), 0xee);
  spmd::fill(out.data(), out.size(), 77 + unsigned(spmd::rank()));
  write(there, out.data(), shape);
  read(in.data(), there, shape);
  EXPECT_OK(ramjet::barrier());
  std::vector<std::uint8_t> sent(out.size());
  spmd::fill(sent.data(), sent.size(), 77 + unsigned(left()));
  const std::uint8_t* mine = *(all + spmd::rank()).local() + 3;
  for (std::size_t row = 0; row < shape.rows; ++row) {
    const std::size_t at = row * shape.local_stride;
    EXPECT(std::equal(&in[at], &in[at] + shape.row_bytes, &out[at]));
    EXPECT(std::equal(&sent[at], &sent[at] + shape.row_bytes, mine + row * shape.far_stride));
    if (shape.row_bytes < shape.local_stride) EXPECT_EQUAL(in[at + shape.row_bytes], 0xee);
    if (shape.row_bytes < shape.far_stride)
      EXPECT_EQUAL(mine[row * shape.far_stride + shape.row_bytes], 0);
  }
  free_areas(all);
}

}  // namespace

// Rows that need several messages each; many that share one; and what is just too long for one.
SPMD_CASE(far, copies_of_many_parts) {
  const ramjet::rectangle shapes[] = {
      {3, 150'000, 150'001, 160'000}, {20'000, 8, 11, 16},          {9, 65'536, 65'536, 65'536},
      {8, 65'537, 65'540, 65'539},    {5, 30'000, 30'000, 100'000}, {1, 500'000, 500'000, 500'000}};
  for (const ramjet::rectangle& shape : shapes) {
    rows_travel(
        shape, [](auto to, auto* from, auto& s) { ramjet::bulk_write(to, from, s); },
        [](auto* into, auto from, auto& s) { ramjet::bulk_read(into, from, s); });
    rows_travel(
        shape,
        [](auto to, auto* from, auto& s) {
          ramjet::bulk_put(to, from, s);
          EXPECT_OK(ramjet::sync_all());
        },
        [](auto* into, auto from, auto& s) {
          ramjet::bulk_get(into, from, s);
          EXPECT_OK(ramjet::sync_all());
        });
  }
}

SPMD_CASE(far, rectangles_are_stored) {
  const auto all = all_areas();
  EXPECT_OK(ramjet::all_store_sync());
  ramjet::reset_store_sync();
  EXPECT_OK(ramjet::barrier());
  std::vector<std::uint8_t> out(90'000, std::uint8_t(1 + spmd::rank()));
  const ramjet::rectangle shape{30'000, 3, 3, 4};
  ramjet::bulk_store(bytes_of(all, spmd::right()), out.data(), shape);
  EXPECT_OK(ramjet::store_sync(89'999));
  EXPECT_OK(ramjet::store_sync(1));
  const std::uint8_t* mine = *(all + spmd::rank()).local();
  for (std::size_t i = 0; i < 120'000; ++i)
    EXPECT_EQUAL(mine[i], i % 4 == 3 ? 0 : std::uint8_t(1 + left()));
  EXPECT_OK(ramjet::all_store_sync());
  free_areas(all);
}

// Gets that leave with what follows: a wait, a poll, or an access of the other kind.
SPMD_CASE(far, gets_that_are_followed) {
  const auto all = ramjet::all_spread_malloc<std::uint64_t[64]>(std::size_t(spmd::size()));
  for (std::uint64_t k = 0; k < 64; ++k) (*(all + spmd::rank()).local())[k] = 100 * k;
  EXPECT_OK(ramjet::barrier());
  const global_ptr<std::uint64_t> there = *(all + spmd::right());
  std::array<std::uint64_t, 64> got{};
  std::uint32_t part = 0;
  const auto begin = [&](unsigned count) {
    got.fill(1);
    for (unsigned k = 0; k < count; ++k) ramjet::get(&got[k], there + k, ramjet::more);
  };
  const auto have_come = [&](unsigned count) {
    for (unsigned k = 0; k < count; ++k) EXPECT_EQUAL(got[k], 100 * k);
  };
  for (const unsigned count : {1u, 16u, 64u}) {
    begin(count);
    EXPECT_OK(ramjet::sync_all());
    have_come(count);
    begin(count);
    while (!ramjet::is_sync()) {
    }
    have_come(count);
    begin(count);
    EXPECT_EQUAL(ramjet::read(there + 63), 6300u);
    EXPECT_OK(ramjet::sync_all());
    have_come(count);
  }
  begin(3);
  const auto not_aligned = global_ptr<std::uint8_t>(there) + 7;
  ramjet::get(&part, global_ptr<std::uint32_t>(not_aligned), ramjet::more);
  EXPECT_OK(ramjet::sync_all());
  have_come(3);
  EXPECT_EQUAL(part, 100u << 8);
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(all);
}

// Of one rank's accesses to one place each sees the ones before it, waited for or not.
SPMD_CASE(far, accesses_to_one_place_keep_their_order) {
  const auto all = ramjet::all_spread_malloc<std::uint64_t[64]>(std::size_t(spmd::size()));
  const global_ptr<std::uint64_t> there = *(all + spmd::right());
  const auto rounds = spmd::scaled(500, 20);
  for (std::uint64_t i = 1; i <= rounds; ++i) {
    std::uint64_t got = 0;
    std::array<std::uint64_t, 64> many{};
    many.fill(3 * i);
    ramjet::put(there, i);
    ramjet::get(&got, there);
    ramjet::put(there, i + 1);
    EXPECT_EQUAL(ramjet::read(there), i + 1);
    ramjet::add(there, 5);
    EXPECT_EQUAL(ramjet::fetch_add(there, 1), i + 6);
    ramjet::bulk_put(there, many.data(), sizeof many);
    EXPECT_EQUAL(ramjet::exchange(there + 63, 2), 3 * i);
    EXPECT_EQUAL(ramjet::compare_swap(there + 63, 2, 9), 2u);
    EXPECT_EQUAL(ramjet::compare_swap(there + 63, 2, 8), 9u);
    ramjet::write(there + 63, 7);
    ramjet::bulk_get(many.data(), there, sizeof many);
    EXPECT_OK(ramjet::sync_all());
    EXPECT_EQUAL(got, i);
    EXPECT_EQUAL(many[62], 3 * i);
    EXPECT_EQUAL(many[63], 7u);
  }
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(all);
}

namespace {

struct mailbox {
  std::uint64_t put, added, stored, signalled, copied[32], source[32];
};
spread_ptr<mailbox> boxes;
mailbox fetched;
std::uint64_t got_word = 0;
bool all_sent = false;

// In a handler: everything that has not to wait, to the rank that is named.
void on_access(int to, std::uint64_t number) {
  const auto box = boxes + to;
  std::array<std::uint64_t, 32> words;
  words.fill(number);
  ramjet::put(box.member(&mailbox::put), number);
  ramjet::add(box.member(&mailbox::added), number);
  ramjet::store(box.member(&mailbox::stored), number);
  ramjet::bulk_put(box.member(&mailbox::copied), words.data(), sizeof words);
  ramjet::signal(box.member(&mailbox::signalled), 1);
  ramjet::get(&got_word, *box.member(&mailbox::source));
  ramjet::bulk_get(fetched.source, box.member(&mailbox::source), sizeof fetched.source);
  all_sent = true;
}

}  // namespace

SPMD_CASE(far, handlers_access_what_they_need_not_wait_for) {
  boxes = ramjet::all_spread_malloc<mailbox>(std::size_t(spmd::size()));
  mailbox& mine = *(boxes + spmd::rank()).local();
  mine = {};
  for (auto& word : mine.source) word = 1000 + std::uint64_t(spmd::rank());
  all_sent = false;
  EXPECT_OK(ramjet::all_store_sync());
  ramjet::reset_store_sync();
  EXPECT_OK(ramjet::barrier());
  const auto number = 7 + std::uint64_t(spmd::rank());
  EXPECT_OK(ramjet::request<&on_access>(left(), spmd::rank(), number));  // who accesses us
  EXPECT_OK(ramjet::wait_until([] { return all_sent; }));
  EXPECT_OK(ramjet::sync_all());
  EXPECT_EQUAL(got_word, 1000u + unsigned(spmd::right()));
  for (const auto word : fetched.source) EXPECT_EQUAL(word, 1000u + unsigned(spmd::right()));
  EXPECT_OK(ramjet::wait_signal((boxes + spmd::rank()).member(&mailbox::signalled), 1));
  EXPECT_EQUAL(mine.put, number);
  EXPECT_EQUAL(mine.added, number);
  for (const auto word : mine.copied) EXPECT_EQUAL(word, number);
  EXPECT_OK(ramjet::store_sync(8));
  EXPECT_EQUAL(mine.stored, number);
  EXPECT_OK(ramjet::all_store_sync());
  ramjet::all_spread_free(boxes);
}

SPMD_CASE(far, many_futures_at_once) {
  const auto all = ramjet::all_spread_malloc<std::uint64_t[100]>(std::size_t(spmd::size()));
  const global_ptr<std::uint64_t> there = *(all + spmd::right());
  std::vector<ramjet::future<void>> puts;
  for (std::uint64_t i = 0; i < 100; ++i)
    puts.push_back(ramjet::put_future(there + std::ptrdiff_t(i), i * i));
  std::vector<ramjet::future<std::uint64_t>> gets;
  for (std::ptrdiff_t i = 99; i >= 0; --i) {
    gets.push_back(ramjet::get_future(there + i));
    gets.push_back(ramjet::fetch_add_future(there + i, 1));
  }
  for (auto& put : puts) EXPECT_OK(put.wait());
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQUAL(gets[2 * (99 - i)].get(), i * i);
    EXPECT_EQUAL(gets[2 * (99 - i) + 1].get(), i * i);
  }
  std::array<std::uint64_t, 8> eight;
  EXPECT_OK(ramjet::bulk_get_future(eight.data(), there, sizeof eight).wait());
  for (std::uint64_t i = 0; i < 8; ++i) EXPECT_EQUAL(eight[i], i * i + 1);
  struct line {
    std::uint64_t words[8];
  };
  const line l = ramjet::get_future(global_ptr<line>(there)).get();
  EXPECT_EQUAL(l.words[7], 50u);
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(all);
}
