// SPDX-License-Identifier: Apache-2.0
// Reductions and scans against a serial model: any length, any root, operators that do not commute.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "ramjet/ramjet.h"
#include "spmd.hpp"

namespace {

using word = std::uint64_t;

// 2 x 2 matrices modulo 2^64: products are associative, and show their order.
struct matrix {
  word at[4];
  friend bool operator==(const matrix&, const matrix&) = default;
};
matrix times(const matrix& a, const matrix& b) {
  return {{a.at[0] * b.at[0] + a.at[1] * b.at[2], a.at[0] * b.at[1] + a.at[1] * b.at[3],
           a.at[2] * b.at[0] + a.at[3] * b.at[2], a.at[2] * b.at[1] + a.at[3] * b.at[3]}};
}
constexpr matrix kOne{{1, 0, 0, 1}};

// The hash of a text, by which the hash of two joined texts is found: 8 bytes, and its order shows.
struct text_hash {
  std::uint32_t value, power;
  friend bool operator==(const text_hash&, const text_hash&) = default;
};
text_hash join(text_hash a, text_hash b) {
  return {a.value * b.power + b.value, a.power * b.power};
}

// What a rank brings to a round; any rank can tell.
matrix matrix_of(word round, int rank, std::size_t i) {
  spmd::random random(spmd::given.seed ^ round * 1000003 ^ word(rank) << 40 ^ i << 20);
  return {{random.next(), random.next(), random.next(), random.next()}};
}
text_hash text_of(word round, int rank) {
  const word w = matrix_of(round, rank, 0).at[0];
  return {std::uint32_t(w), std::uint32_t(w >> 32) | 1};
}
std::vector<matrix> values_of(word round, std::size_t length) {
  std::vector<matrix> v(length);
  for (std::size_t i = 0; i < length; ++i) v[i] = matrix_of(round, spmd::rank(), i);
  return v;
}
// The product over ranks first to last - 1 of their i-th values.
matrix product(word round, int first, int last, std::size_t i) {
  matrix m = kOne;
  for (int r = first; r < last; ++r) m = times(m, matrix_of(round, r, i));
  return m;
}

std::vector<std::size_t> lengths() {
  std::vector<std::size_t> list{0, 1, 2, 3, 7, 63, 511, 513};
  if (spmd::size() <= 8) list.insert(list.end(), {1025, 2049, 6145});  // 192 KiB: four pieces
  return list;
}
// Comparing all of a long array with the model takes longer than everything else.
std::size_t stride(std::size_t length) { return length < 64 ? 1 : 29; }

}  // namespace

SPMD_CASE(reductions, all_reduce_of_short_values) {
  const int n = spmd::size();
  for (word round = 0; round < spmd::scaled(50, 5); ++round) {
    text_hash hash = text_of(round, spmd::rank()), all = text_of(round, 0);
    for (int r = 1; r < n; ++r) all = join(all, text_of(round, r));
    EXPECT_OK(ramjet::all_reduce(hash, join));
    EXPECT(hash == all);
    matrix m = matrix_of(round, spmd::rank(), 0);
    EXPECT_OK(ramjet::all_reduce(m, times));
    EXPECT(m == product(round, 0, n, 0));
    word one = 1;
    EXPECT_OK(ramjet::all_reduce(one, [](word a, word b) { return a + b; }));
    EXPECT_EQUAL(one, word(n));
    char letter = char('a' + spmd::rank() % 26);
    EXPECT_OK(ramjet::all_reduce(letter, [](char a, char) { return a; }));
    EXPECT_EQUAL(letter, 'a');
  }
}

SPMD_CASE(reductions, all_reduce_of_arrays) {
  word round = 100;
  for (std::size_t length : lengths()) {
    std::vector<matrix> mine = values_of(++round, length);
    EXPECT_OK(ramjet::all_reduce(std::span<matrix>(mine), times));
    for (std::size_t i = 0; i < length; i += stride(length))
      EXPECT(mine[i] == product(round, 0, spmd::size(), i));
  }
}

SPMD_CASE(reductions, reduce_to_every_root) {
  const int n = spmd::size();
  word round = 200;
  for (int root = 0; root < n; root += n > 8 ? 9 : 1) {
    text_hash hash = text_of(++round, spmd::rank()), all = text_of(round, 0);
    for (int r = 1; r < n; ++r) all = join(all, text_of(round, r));
    EXPECT_OK(ramjet::reduce(hash, join, root));
    EXPECT(hash == (spmd::rank() == root ? all : text_of(round, spmd::rank())));
    for (std::size_t length : lengths()) {
      const std::vector<matrix> before = values_of(++round, length);
      std::vector<matrix> mine = before;
      EXPECT_OK(ramjet::reduce(std::span<matrix>(mine), times, root));
      if (spmd::rank() != root) {
        EXPECT(mine == before);
        continue;
      }
      for (std::size_t i = 0; i < length; i += stride(length))
        EXPECT(mine[i] == product(round, 0, n, i));
    }
  }
}

SPMD_CASE(reductions, scans) {
  const int me = spmd::rank();
  word round = 100'000;
  const matrix init{{2, 3, 5, 7}};
  for (std::size_t length : lengths()) {
    const std::vector<matrix> mine = values_of(++round, length);
    std::vector<matrix> with = mine, before = mine;
    EXPECT_OK(ramjet::inclusive_scan(std::span<matrix>(with), times));
    EXPECT_OK(ramjet::exclusive_scan(std::span<matrix>(before), init, times));
    for (std::size_t i = 0; i < length; i += stride(length)) {
      EXPECT(with[i] == product(round, 0, me + 1, i));
      EXPECT(before[i] == times(init, product(round, 0, me, i)));
    }
  }
  for (unsigned i = 0; i < spmd::scaled(30, 3); ++i) {
    word place = 1, with = word(me);
    EXPECT_OK(ramjet::exclusive_scan(place, 0, [](word a, word b) { return a + b; }));
    EXPECT_EQUAL(place, word(me));
    EXPECT_OK(ramjet::inclusive_scan(with, [](word a, word b) { return a + b; }));
    EXPECT_EQUAL(with, word(me) * word(me + 1) / 2);
  }
}

// Sums of floats depend on how they are bracketed: all ranks get the same bits all the same.
SPMD_CASE(reductions, give_the_same_bits_everywhere) {
  for (std::size_t length :
       {std::size_t{1}, std::size_t{33}, std::size_t{4000}, std::size_t{9001}}) {
    spmd::random random(spmd::given.seed ^ word(spmd::rank()) << 32 ^ length);
    std::vector<double> mine(length);
    for (double& x : mine) x = std::bit_cast<double>(random.next() >> 12 | word{0x3ff} << 52) - 1.5;
    EXPECT_OK(
        ramjet::all_reduce(std::span<double>(mine), [](double a, double b) { return a + b; }));
    std::vector<double> first = mine;
    EXPECT_OK(ramjet::broadcast(std::span<double>(first)));
    EXPECT(std::memcmp(first.data(), mine.data(), length * sizeof(double)) == 0);
  }
}

// An operator may load 16 bytes at a time: what it gets is aligned as the caller's arrays are, also
// where each member reduces a part.
SPMD_CASE(reductions, give_operators_aligned_arrays) {
  constexpr std::size_t kCount = 8198;  // its parts are of odd numbers of elements
  const auto room = std::make_unique<matrix[]>(kCount * sizeof(double) / sizeof(matrix) + 2);
  const auto at = reinterpret_cast<std::uintptr_t>(room.get());
  double* const mine = reinterpret_cast<double*>((at + 15) / 16 * 16);
  std::fill_n(mine, kCount, double(spmd::rank()));
  static bool is_aligned;
  is_aligned = true;
  const auto add = [](void*, void* into, const void* other, std::size_t count) {
    is_aligned = is_aligned && reinterpret_cast<std::uintptr_t>(into) % 16 == 0 &&
                 reinterpret_cast<std::uintptr_t>(other) % 16 == 0;
    for (std::size_t i = 0; i < count; ++i)
      static_cast<double*>(into)[i] += static_cast<const double*>(other)[i];
  };
  EXPECT(ramjet_all_reduce(mine, kCount, sizeof(double), add, nullptr, nullptr) == RAMJET_OK);
  const int n = spmd::size();
  for (std::size_t i = 0; i < kCount; i += 1021) EXPECT(mine[i] == double(n * (n - 1) / 2));
  EXPECT(is_aligned);
  EXPECT(ramjet_reduce(mine, kCount, sizeof(double), add, nullptr, n - 1, nullptr) == RAMJET_OK);
  EXPECT(is_aligned);
}

// One value that is large is never taken apart; one that is aligned as no allocator does it.
SPMD_CASE(reductions, odd_types) {
  struct large {
    matrix at[700];  // 22 kB
  };
  auto mine = std::make_unique<large>();
  for (std::size_t i = 0; i < 700; ++i) mine->at[i] = matrix_of(7, spmd::rank(), i);
  EXPECT_OK(ramjet::all_reduce(*mine, [](const large& a, const large& b) {
    large c;
    for (std::size_t i = 0; i < 700; ++i) c.at[i] = times(a.at[i], b.at[i]);
    return c;
  }));
  for (std::size_t i = 0; i < 700; i += 29) EXPECT(mine->at[i] == product(7, 0, spmd::size(), i));

  struct alignas(64) line {
    word value;
  };
  line lines[5];
  for (word i = 0; i < 5; ++i) lines[i].value = word(spmd::rank()) + i;
  EXPECT_OK(ramjet::inclusive_scan(std::span<line>(lines), [](const line& a, const line& b) {
    EXPECT(reinterpret_cast<std::uintptr_t>(&a) % 64 == 0);
    EXPECT(reinterpret_cast<std::uintptr_t>(&b) % 64 == 0);
    return line{a.value > b.value ? a.value : b.value};
  }));
  for (word i = 0; i < 5; ++i) EXPECT_EQUAL(lines[i].value, word(spmd::rank()) + i);
}
