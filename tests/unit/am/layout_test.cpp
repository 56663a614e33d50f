// SPDX-License-Identifier: Apache-2.0
// The wire format: header fields, the layout of arguments, and what they refuse to hold.
#include "ramjet/detail/lane/layout.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <tuple>

#include "ramjet/ramjet.hpp"

namespace {

using namespace ramjet::detail;

TEST(header, holds_each_field_by_itself) {
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto lap = std::uint8_t(random());
    const auto state = record_state(random() % 4);
    const auto words = unsigned(2 * (1 + random() % 4));
    const auto handler = unsigned(random() % kHandlersMax);
    const std::size_t bytes = random() % (kArgumentBytesMax + 1);
    const std::uint64_t flags = random() & (kExtended | kArgumentsOutside);
    const std::uint64_t h = make_header(lap, state, words, handler, bytes) | flags;
    ASSERT_EQ(lap_of(h), lap);
    ASSERT_EQ(state_of(h), state);
    ASSERT_EQ(words_of(h), words);
    ASSERT_EQ(handler_of(h), handler);
    ASSERT_EQ(argument_bytes_of(h), bytes);
    ASSERT_EQ(h & (kExtended | kArgumentsOutside), flags);
    ASSERT_EQ(h >> 48, 0u) << "the reserved bits";
  }
}

TEST(header, keeps_lap_and_length_when_a_record_is_answered) {
  const std::uint64_t h = make_header(0x93, record_state::request, 6, 1234, 40) | kExtended;
  const std::uint64_t kept = h & kLapAndLength;
  EXPECT_EQ(lap_of(kept), 0x93);
  EXPECT_EQ(words_of(kept), 6u);
  EXPECT_EQ(state_of(kept), record_state::empty);
  EXPECT_EQ(handler_of(kept), 0u);
}

struct empty {};
struct three_bytes {
  char b[3];
};
struct alignas(32) aligned {
  double d[4];
};

TEST(packed_arguments, stand_one_after_the_other_aligned_to_at_most_a_word) {
  EXPECT_EQ(packed<>::bytes, 0u);
  EXPECT_EQ(packed<char>::bytes, 1u);
  EXPECT_EQ((packed<char, int>::offsets[1]), 4u);
  EXPECT_EQ((packed<char, int>::bytes), 8u);
  EXPECT_EQ((packed<three_bytes, char, std::uint16_t>::offsets[1]), 3u);
  EXPECT_EQ((packed<three_bytes, char, std::uint16_t>::offsets[2]), 4u);
  EXPECT_EQ((packed<char, aligned>::offsets[1]), 8u);
  EXPECT_EQ((packed<char, aligned>::bytes), 40u);
  EXPECT_EQ((packed<int, empty, int>::bytes), 8u);
  EXPECT_EQ((packed<empty>::bytes), 0u);
}

template <class... A>
void expect_round_trip(const A&... values) {
  using layout = packed<A...>;
  alignas(16) std::byte raw[kArgumentBytesMax];
  std::memset(raw, 0xee, sizeof raw);
  layout::put(raw, values...);
  const std::tuple<A...> all(values...);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    EXPECT_TRUE(((std::get<I>(all) == read_argument<A>(raw + layout::offsets[I])) && ...));
  }(std::index_sequence_for<A...>{});
  EXPECT_EQ(raw[layout::bytes], std::byte{0xee}) << "written past the end";
}

TEST(packed_arguments, come_back_unchanged) {
  expect_round_trip('x');
  expect_round_trip('x', 5, 'y', 2.5, std::uint16_t{7}, 1.5f, true);
  const int here = 1;
  expect_round_trip(static_cast<const void*>(&here), &here, nullptr, std::int64_t{-1});
  struct pair {
    int a;
    char b;
    bool operator==(const pair&) const = default;
  };
  expect_round_trip(pair{1, 'b'}, 'c', pair{-1, 'd'});
}

}  // namespace
