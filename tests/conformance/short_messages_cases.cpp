// SPDX-License-Identifier: Apache-2.0
// Short messages: every shape of arguments, order, and replies of every kind.
#include <array>
#include <cstring>
#include <vector>

#include "spmd.hpp"

namespace {

using word = std::uint64_t;

unsigned shapes;

word argument(int from, unsigned index) { return word(from) << 32 | (index * 0x10001 + 1); }

// Words 0, 1, .. of the sender, checked one by one.
template <class... W>
void check_words([[maybe_unused]] int from, W... words) {
  unsigned i = 0;
  ((EXPECT_EQUAL(word(words), argument(from, i)), ++i), ...);
  ++shapes;
}
template <std::size_t>
using word_at = word;
template <class>
struct taker;
template <std::size_t... I>
struct taker<std::index_sequence<I...>> {
  static void on_words(ramjet::request_token t, word_at<I>... words) {
    check_words(t.rank(), words...);
  }
  static ramjet::status send(int to) {
    return ramjet::request<&on_words>(to, argument(spmd::rank(), I)...);
  }
};

template <std::size_t... N>
void send_all_counts(int to, std::index_sequence<N...>) {
  (EXPECT_OK(taker<std::make_index_sequence<N>>::send(to)), ...);
}

}  // namespace

SPMD_CASE(short_messages, from_no_word_to_128_words) {
  send_all_counts(spmd::right(), std::make_index_sequence<13>{});
  EXPECT_OK((taker<std::make_index_sequence<100>>::send(spmd::right())));
  EXPECT_OK((taker<std::make_index_sequence<128>>::send(spmd::right())));  // 1024 bytes: the most
  EXPECT_OK(ramjet::wait_until([] { return shapes == 15; }));
}

namespace {

struct empty {};
struct three_bytes {
  std::uint8_t b[3];
};
struct alignas(32) aligned {
  double x, y;
};
template <std::size_t N>
struct block {
  std::uint8_t bytes[N];
};
enum class colour : std::uint8_t { red = 1, green = 2 };

unsigned structs;
bool flag_seen;

void on_mixed(char c, three_bytes t, std::uint16_t h, empty, aligned a, bool f, colour k, float x,
              ramjet::segment_ptr<const char> p) {
  EXPECT(c == 'x' && t.b[0] == 1 && t.b[1] == 2 && t.b[2] == 3 && h == 0xbeef);
  EXPECT(a.x == 1.5 && a.y == -2.5 && k == colour::green && x == 0.25f && p == nullptr);
  EXPECT(reinterpret_cast<std::uintptr_t>(&a) % alignof(aligned) == 0);
  flag_seen = f;
  ++structs;
}

template <std::size_t N>
void on_block(ramjet::request_token t, block<N> b, std::uint8_t last) {
  EXPECT_EQUAL(spmd::first_wrong(b.bytes, N, word(t.rank())), N);
  EXPECT_EQUAL(last, 0x5a);
  ++structs;
}
template <std::size_t N>
void send_block(int to) {
  block<N> b;
  spmd::fill(b.bytes, N, word(spmd::rank()));
  EXPECT_OK(ramjet::request<on_block<N>>(to, b, std::uint8_t(0x5a)));
}
template <std::size_t... I>
void send_blocks(int to, std::index_sequence<I...>) {
  (send_block<I + 1>(to), ...);
}

}  // namespace

SPMD_CASE(short_messages, structures_of_any_size_and_alignment) {
  const aligned a{1.5, -2.5};
  EXPECT_OK(ramjet::request<on_mixed>(spmd::right(), 'x', three_bytes{{1, 2, 3}}, 0xbeef, empty{},
                                      a, true, colour::green, 0.25f, nullptr));
  send_blocks(spmd::right(), std::make_index_sequence<80>{});
  send_block<1000>(spmd::right());
  send_block<1023>(spmd::right());
  EXPECT_OK(ramjet::wait_until([] { return structs == 83; }));
  EXPECT(flag_seen);
}

namespace {
struct order_state {
  std::vector<unsigned> next;
  std::vector<unsigned> answers;
} order;
void on_ordered_answer(ramjet::reply_token t, unsigned i) {
  EXPECT_EQUAL(i, order.answers[std::size_t(t.rank())]);
  order.answers[std::size_t(t.rank())] += 3;  // every third one is answered
}
void on_ordered(ramjet::request_token t, unsigned i) {
  EXPECT_EQUAL(i, order.next[std::size_t(t.rank())]);
  ++order.next[std::size_t(t.rank())];
  if (i % 3 == 0) ramjet::reply<on_ordered_answer>(std::move(t), i);
}
void on_ordered_wide(ramjet::request_token t, unsigned i, word, word, word, word) {
  on_ordered(std::move(t), i);
}
}  // namespace

// Records of several lengths, some answered in place and some not, so that pads, credit and answers
// of every kind meet; in order per pair.
SPMD_CASE(short_messages, keep_their_order) {
  const auto n = std::size_t(spmd::size());
  order.next.assign(n, 0);
  order.answers.assign(n, 0);
  EXPECT_OK(ramjet::barrier());
  const auto count = unsigned(spmd::scaled(30'000, 300) / n);
  for (unsigned i = 0; i < count; ++i) {
    for (int to = 0; to < int(n); ++to) {
      if (i % 5 == 4) {
        EXPECT_OK(ramjet::request<on_ordered_wide>(to, i, 1u, 2u, 3u, 4u));
      } else {
        EXPECT_OK(ramjet::request<on_ordered>(to, i));
      }
    }
  }
  const unsigned answers = (count + 2) / 3 * 3;
  EXPECT_OK(ramjet::wait_until([&] {
    for (std::size_t r = 0; r < n; ++r)
      if (order.next[r] != count || order.answers[r] != answers) return false;
    return true;
  }));
}

namespace {

unsigned reply_kinds;

void on_wide_answer(ramjet::reply_token t, block<200> b, word key) {
  EXPECT_EQUAL(spmd::first_wrong(b.bytes, sizeof b.bytes, key), sizeof b.bytes);
  EXPECT(t.rank() == spmd::right());
  ++reply_kinds;
}
void on_ask_wide(ramjet::request_token t, word key) {
  block<200> b;
  spmd::fill(b.bytes, sizeof b.bytes, key);
  ramjet::reply<on_wide_answer>(std::move(t), b, key);
}

void on_empty_answer(ramjet::reply_token) { ++reply_kinds; }
void on_ask_nothing(ramjet::request_token t, word, word, word) {
  ramjet::reply<on_empty_answer>(std::move(t));
}

void on_medium_answer(ramjet::reply_token, word key, ramjet::payload p) {
  EXPECT_EQUAL(spmd::first_wrong(p.bytes, p.count, key), p.count);
  EXPECT_EQUAL(p.count, key % (ramjet::medium_bytes_max + 1));
  ++reply_kinds;
}
void on_ask_medium(ramjet::request_token t, word key) {
  std::vector<std::byte> data(key % (ramjet::medium_bytes_max + 1));
  spmd::fill(data.data(), data.size(), key);
  ramjet::reply_medium<on_medium_answer>(std::move(t), data.data(), data.size(), key);
}

void on_long_answer(ramjet::reply_token, word key, ramjet::deposit d) {
  EXPECT_EQUAL(spmd::first_wrong(d.bytes, d.count, key), d.count);
  EXPECT(ramjet::segment_owner(d.bytes) == spmd::rank());
  ++reply_kinds;
}
void on_ask_long(ramjet::request_token t, word key, ramjet::segment_ptr<std::byte> to,
                 std::size_t count) {
  std::vector<std::byte> data(count);
  spmd::fill(data.data(), count, key);
  ramjet::reply_long<on_long_answer>(std::move(t), to, data.data(), count, key);
}

}  // namespace

SPMD_CASE(short_messages, replies_of_every_kind) {
  const auto rounds = unsigned(spmd::scaled(300, 20));
  const int to = spmd::right();
  spmd::random random(spmd::given.seed + unsigned(spmd::rank()));
  std::span<std::byte> room = ramjet::segment_array<std::byte>(200'000);
  for (unsigned i = 0; i < rounds; ++i) {
    EXPECT_OK(ramjet::request<on_ask_wide>(to, i));
    EXPECT_OK(ramjet::request<on_ask_nothing>(to, 1u, 2u, 3u));
    EXPECT_OK(
        ramjet::request<on_ask_medium>(to, i < 70 ? i : random.below(ramjet::medium_bytes_max)));
    if (i == 7) EXPECT_OK(ramjet::request<on_ask_medium>(to, ramjet::medium_bytes_max));
    if (i % 8 != 0) continue;
    const std::size_t count = i == 0 ? 0 : random.below(room.size());
    EXPECT_OK(ramjet::request<on_ask_long>(to, i, room.data(), count));
    const unsigned expected = (i + 1) * 3 + (i >= 7) + i / 8 + 1;
    EXPECT_OK(ramjet::wait_until([expected] { return reply_kinds == expected; }));
  }
  const unsigned expected = rounds * 3 + 1 + (rounds + 7) / 8;
  EXPECT_OK(ramjet::wait_until([expected] { return reply_kinds == expected; }));
  EXPECT_OK(ramjet::barrier());
  ramjet::segment_free(room.data());
}

namespace {
unsigned known_sources;
void on_source_answer(ramjet::reply_token t) {
  EXPECT((t.source() == ramjet::address{spmd::right(), 0}));
  ++known_sources;
}
void on_source(ramjet::request_token t, int from) {
  EXPECT((t.source() == ramjet::address{from, 0}) && t.rank() == from);
  ++known_sources;
  ramjet::reply<on_source_answer>(std::move(t));
}
}  // namespace

SPMD_CASE(short_messages, tokens_name_the_source) {
  EXPECT_OK(ramjet::request<on_source>(spmd::right(), spmd::rank()));
  EXPECT_OK(ramjet::wait_until([] { return known_sources == 2; }));
}

namespace {
unsigned converted;
void on_converted(double d, std::uint8_t b, ramjet::segment_ptr<const void> p) {
  EXPECT(d == 3.0 && b == 200 && p == nullptr);
  ++converted;
}
}  // namespace

SPMD_CASE(short_messages, arguments_convert_like_those_of_a_call) {
  EXPECT_OK(ramjet::request<on_converted>(spmd::right(), 3, std::uint8_t{200}, nullptr));
  EXPECT_OK(ramjet::wait_until([] { return converted == 1; }));
}
