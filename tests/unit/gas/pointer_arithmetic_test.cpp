// SPDX-License-Identifier: Apache-2.0
// Pointer arithmetic against the model in words: a spread pointer counts places, rank by rank and
// then row by row; a global pointer counts the elements of one rank.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "ramjet/global_ptr.hpp"

namespace {

using namespace ramjet;
using detail::live_space;
using detail::make_bits;

constexpr std::uint64_t kBase = 0x1100'0000'1000;

// Pretends to be rank `rank` of a job of `ranks`.
class pretended_job {
 public:
  explicit pretended_job(unsigned ranks, unsigned rank = 0) {
    live_space.window_base = 0x1100'0000'0000;
    live_space.segment_base = 0x1500'0000'0000;
    live_space.found_count = ranks;
    live_space.segment_bytes = 1 << 20;
    live_space.words_end = (1 << 20) - 7;
    live_space.own_bits = make_bits(rank, live_space.window_base);
    live_space.ranks = ranks;
    live_space.ranks_log = std::has_single_bit(ranks) ? std::countr_zero(ranks) : -1;
  }
  ~pretended_job() { live_space = detail::kNoSpace; }
};

template <std::size_t Bytes>
struct element {
  std::byte bytes[Bytes];
};

// The pointer to place k of the array from kBase on, counted as the words above say.
template <class T>
spread_ptr<T> place(std::int64_t k, unsigned ranks) {
  std::int64_t row = 0;
  while (k < 0) {
    k += ranks;
    --row;
  }
  while (k >= ranks) {
    k -= ranks;
    ++row;
  }
  return spread_ptr<T>(detail::from_bits{
      make_bits(std::uint64_t(k), kBase + std::uint64_t(row * std::int64_t(sizeof(T))))});
}

template <class T>
void check_spread(unsigned ranks, std::mt19937_64& random) {
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t from = std::int64_t(random() % 400) - 200;
    const std::int64_t n = std::int64_t(random() % 400) - 200;
    const spread_ptr<T> p = place<T>(from, ranks), q = place<T>(from + n, ranks);
    ASSERT_EQ((p + n).bits(), q.bits()) << ranks << " ranks, " << from << " + " << n;
    ASSERT_EQ((n + p).bits(), q.bits());
    ASSERT_EQ((q - n).bits(), p.bits());
    ASSERT_EQ(q - p, n);
    ASSERT_EQ(p - q, -n);
    ASSERT_EQ(p < q, n > 0);
    ASSERT_EQ(p == q, n == 0);
    spread_ptr<T> walker = p;
    ASSERT_EQ((++walker).bits(), place<T>(from + 1, ranks).bits());
    ASSERT_EQ((walker++).bits(), place<T>(from + 1, ranks).bits());
    ASSERT_EQ((--walker).bits(), place<T>(from + 1, ranks).bits());
    ASSERT_EQ((walker--).bits(), place<T>(from + 1, ranks).bits());
    ASSERT_EQ(walker, p);
    ASSERT_EQ(((walker += n) -= n), p);
  }
}

class ranks : public testing::TestWithParam<unsigned> {};

TEST_P(ranks, spread_pointers_count_places) {
  const pretended_job job(GetParam());
  std::mt19937_64 random(GetParam());
  check_spread<char>(GetParam(), random);
  check_spread<element<3>>(GetParam(), random);
  check_spread<double>(GetParam(), random);
  check_spread<element<1000>>(GetParam(), random);
  check_spread<double[7]>(GetParam(), random);
}

TEST_P(ranks, global_pointers_stay) {
  const pretended_job job(GetParam());
  std::mt19937_64 random(GetParam() + 100);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t rank = random() % GetParam();
    const std::int64_t n = std::int64_t(random() % 4000) - 2000;
    const global_ptr<element<12>> p(detail::from_bits{make_bits(rank, kBase + 40'000)});
    const global_ptr<element<12>> q = p + n;
    ASSERT_EQ(q.rank(), int(rank));
    ASSERT_EQ(detail::address_of(q.bits()), std::uint64_t(std::int64_t(kBase + 40'000) + 12 * n));
    ASSERT_EQ(q - p, n);
    ASSERT_EQ(q - n, p);
    ASSERT_EQ(p < q, n > 0);
  }
}

INSTANTIATE_TEST_SUITE_P(of_all_kinds, ranks,
                         testing::Values(1u, 2u, 3u, 4u, 5u, 8u, 1000u, 1024u));

TEST(a_global_pointer, comes_back_from_below_address_0) {
  const pretended_job job(4);
  const global_ptr<int> p(detail::from_bits{make_bits(3, 0)});
  EXPECT_EQ((p - 1) + 1, p);
  // Whatever rank it has meanwhile, it is in no segment.
  EXPECT_GE(detail::address_of((p - 1).bits()) - live_space.window_base, live_space.segment_bytes);
}

TEST(pointers, start_as_null_whatever_the_rank) {
  const pretended_job job(4);
  EXPECT_TRUE(global_ptr<int>() == nullptr);
  EXPECT_FALSE(spread_ptr<int>());
  EXPECT_TRUE(global_ptr<int>(detail::from_bits{make_bits(3, 0)}) == nullptr);
  EXPECT_FALSE(global_ptr<int>(detail::from_bits{make_bits(3, 0)}) == global_ptr<int>());
  EXPECT_TRUE(global_ptr<int>(detail::from_bits{make_bits(0, 8)}) != nullptr);
}

TEST(pointers, are_ordered_by_what_they_walk_over) {
  const pretended_job job(4);
  std::vector<spread_ptr<int>> walk;
  for (int i = -20; i < 20; ++i) walk.push_back(place<int>(0, 4) + i);
  EXPECT_TRUE(std::is_sorted(walk.begin(), walk.end()));
  const global_ptr<int> low(detail::from_bits{make_bits(3, 8)}),
      high(detail::from_bits{make_bits(0, 16)});
  EXPECT_TRUE(low < high);
}

TEST(a_rank, that_no_pointer_can_name_becomes_one_that_no_access_accepts) {
  const pretended_job job(4);
  int x = 0;
  EXPECT_EQ(global_ptr<int>(-1, &x).rank(), int(detail::kRankNever));
  EXPECT_EQ(global_ptr<int>(65536, &x).rank(), int(detail::kRankNever));
  EXPECT_EQ(global_ptr<int>(1023, &x).rank(), 1023);
}

TEST(local_pointers, become_symmetric) {
  const pretended_job job(4, 2);
  const auto at = [](std::uint64_t address) { return reinterpret_cast<int*>(address); };
  int* const in_window = at(live_space.window_base + 400);
  int* const in_own = at(live_space.segment_base + 2 * live_space.segment_bytes + 400);
  int* const in_other = at(live_space.segment_base + 3 * live_space.segment_bytes + 400);
  EXPECT_EQ(global_ptr<int>(in_window).bits(), make_bits(2, live_space.window_base + 400));
  EXPECT_EQ(global_ptr<int>(in_own), global_ptr<int>(in_window));
  EXPECT_EQ(global_ptr<int>(in_other).rank(), 3);
  EXPECT_EQ(global_ptr<int>(in_other).local(), in_window);
  EXPECT_EQ(global_ptr<int>(1, in_own), global_ptr<int>(1, in_window));
  EXPECT_EQ(global_ptr<int>(1, in_own).rank(), 1);
  EXPECT_EQ(detail::one_name(in_own), in_window);
  EXPECT_EQ(detail::one_name(in_other), in_other);
  int on_stack = 0;
  EXPECT_EQ(global_ptr<int>(&on_stack).local(), &on_stack);
  EXPECT_EQ(static_cast<int*>(global_ptr<int>(in_own)), in_window);
}

struct inner {
  double d;
};
struct outer : inner {
  char c;
  short list[4];
};

TEST(members, are_pointers_to_their_place) {
  const pretended_job job(4);
  const global_ptr<outer> p(detail::from_bits{make_bits(3, kBase)});
  EXPECT_EQ(p.member(&outer::c).bits(), make_bits(3, kBase + 8));
  EXPECT_EQ(p.member(&outer::d).bits(), make_bits(3, kBase));
  static_assert(std::is_same_v<decltype(p.member(&outer::d)), global_ptr<double>>);
  const global_ptr<short> third = *p.member(&outer::list) + 3;
  EXPECT_EQ(third.bits(), make_bits(3, kBase + 10 + 6));
  static_assert(std::is_same_v<decltype(global_ptr<const outer>(p).member(&outer::c)),
                               global_ptr<const char>>);
}

// What converts by itself, and what needs a cast.
template <class From, class To>
constexpr bool implicit = std::is_convertible_v<From, To>;
template <class From, class To>
constexpr bool with_cast = std::is_constructible_v<To, From>;
static_assert(implicit<global_ptr<int>, global_ptr<const int>>);
static_assert(implicit<global_ptr<int>, global_ptr<void>>);
static_assert(implicit<spread_ptr<int>, global_ptr<int>>);
static_assert(implicit<spread_ptr<int>, global_ptr<const void>>);
static_assert(implicit<std::nullptr_t, spread_ptr<int>>);
static_assert(!implicit<global_ptr<int>, spread_ptr<int>> &&
              with_cast<global_ptr<int>, spread_ptr<int>>);
static_assert(!implicit<global_ptr<int>, global_ptr<char>> &&
              with_cast<global_ptr<int>, global_ptr<char>>);
static_assert(!implicit<spread_ptr<void>, spread_ptr<int[4]>> &&
              with_cast<spread_ptr<void>, spread_ptr<int[4]>>);
static_assert(!implicit<int*, global_ptr<int>> && with_cast<int*, global_ptr<int>>);
static_assert(!implicit<global_ptr<int>, int*> && with_cast<global_ptr<int>, int*>);
static_assert(!std::is_assignable_v<global_ref<const int>, int>);
static_assert(!std::is_trivially_copyable_v<global_ref<int>>, "printf would take one as it is");

}  // namespace
