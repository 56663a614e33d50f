// SPDX-License-Identifier: Apache-2.0
// Reading and writing: of every type, by every notation, at every rank.
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::global_ptr;
using ramjet::spread_ptr;

struct pair {
  std::int32_t first;
  std::int32_t second;
  bool operator==(const pair&) const = default;
};
struct odd_sized {
  char text[13];
};
struct tile {
  double cells[64];
};

// Every rank writes a value to its right neighbour, which finds it, and reads it back from there.
template <class T, class Make>
void travels(Make&& make) {
  const spread_ptr<T> all = ramjet::all_spread_malloc<T>(std::size_t(spmd::size()));
  EXPECT(all != nullptr);
  const T sent = make(spmd::rank());
  ramjet::write(all + spmd::right(), sent);
  const T back = ramjet::read(all + spmd::right());
  EXPECT(std::memcmp(&back, &sent, sizeof sent) == 0);
  EXPECT_OK(ramjet::barrier());
  const T expected = make((spmd::rank() + spmd::size() - 1) % spmd::size());
  const T* mine = (all + spmd::rank()).local();
  EXPECT(std::memcmp(mine, &expected, sizeof expected) == 0);
  const T by_pointer = *(all + spmd::rank());
  EXPECT(std::memcmp(&by_pointer, &expected, sizeof expected) == 0);
  ramjet::all_spread_free(all);
}

}  // namespace

SPMD_CASE(access, every_type_travels) {
  travels<char>([](int r) { return char('a' + r % 26); });
  travels<bool>([](int r) { return r % 2 == 0; });
  travels<std::int16_t>([](int r) { return std::int16_t(-1000 - r); });
  travels<float>([](int r) { return 0.5f + float(r); });
  travels<double>([](int r) { return 1e100 * r; });
  travels<std::uint64_t>([](int r) { return 0x123456789abcdef0u + unsigned(r); });
  travels<void*>([](int r) { return reinterpret_cast<void*>(std::uintptr_t(r)); });
  travels<pair>([](int r) { return pair{r, -r}; });
  travels<odd_sized>([](int r) {
    odd_sized o{};
    spmd::fill(o.text, sizeof o.text, unsigned(r));
    return o;
  });
  travels<tile>([](int r) {
    tile t{};
    for (int i = 0; i < 64; ++i) t.cells[i] = r * 100 + i;
    return t;
  });
  travels<global_ptr<int>>(
      [](int r) { return global_ptr<int>(r, reinterpret_cast<int*>(ramjet::segment_begin(0))); });
}

SPMD_CASE(access, elements_stand_for_their_values) {
  const spread_ptr<int> a = ramjet::all_spread_malloc<int>(std::size_t(3 * spmd::size()));
  const int right = spmd::right();
  a[right] = 5;
  EXPECT_EQUAL(int(a[right]), 5);
  a[right] += 3;
  a[right] *= 4;
  a[right] -= 2;
  a[right] /= 3;
  EXPECT_EQUAL(int(a[right]), 10);
  a[right] <<= 2;
  a[right] |= 1;
  a[right] ^= 3;
  a[right] &= 0xff;
  a[right] %= 32;
  a[right] >>= 1;
  EXPECT_EQUAL(int(a[right]), 5);
  EXPECT_EQUAL(a[right]++, 5);
  EXPECT_EQUAL(int(++a[right]), 7);
  EXPECT_EQUAL(a[right]--, 7);
  EXPECT_EQUAL(int(--a[right]), 5);
  const int next_row = right + spmd::size();
  a[next_row] = a[right];  // both far
  EXPECT_EQUAL(int(a[next_row]), 5);
  EXPECT((a[next_row].address() == global_ptr<int>(a + next_row)));
  const global_ptr<int> g = a + right;
  EXPECT_EQUAL(int(g[1]), 5);  // the next row of the same rank
  EXPECT(g[1] == 5 && *g == 5 && 1 + *g == 6);
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(a);
}

SPMD_CASE(access, members_and_arrays_have_pointers_of_their_own) {
  const auto bodies = ramjet::all_spread_malloc<pair>(std::size_t(spmd::size()));
  const auto b = bodies + spmd::right();
  *b.member(&pair::second) = 7;
  *b.member(&pair::first) = 6;
  EXPECT((pair(*b) == pair{6, 7}));
  const auto rows = ramjet::all_spread_malloc<int[10]>(std::size_t(spmd::size()));
  const global_ptr<int> row = rows[spmd::right()];
  for (int i = 0; i < 10; ++i) row[i] = i * i;
  EXPECT_OK(ramjet::barrier());
  const int* mine = *(rows + spmd::rank()).local();
  for (int i = 0; i < 10; ++i) EXPECT_EQUAL(mine[i], i * i);
  ramjet::all_spread_free(rows);
  ramjet::all_spread_free(bodies);
}

// From a pointer in the middle, in loops and alone; and from one of another rank.
SPMD_CASE(access, elements_are_counted_from_any_pointer) {
  const auto rows = ramjet::all_spread_malloc<long[64]>(std::size_t(spmd::size()));
  const global_ptr<long> middle = global_ptr<long>(rows[spmd::right()]) + 32;
  for (int n = -32; n < 32; ++n) middle[n] = 100 * n;
  long sum = 0;
  for (int n = -32; n < 32; ++n) sum += middle[n];
  EXPECT_EQUAL(sum, -3200L);
  for (int n = 31; n >= -32; --n) middle[n] += middle[-1 - n];  // reads and writes in turn
  EXPECT_OK(ramjet::barrier());
  const long* mine = rows.local()[0];
  for (int n = 0; n < 32; ++n) EXPECT_EQUAL(mine[32 + n], -100L);
  for (int n = 0; n < 32; ++n) EXPECT_EQUAL(mine[n], -100L + 100 * (n - 32));
  const global_ptr<char> none;  // of rank 0, where that is counted from
  const global_ptr<char> last(middle + 31);
  const auto far = std::ptrdiff_t(last.bits());
  EXPECT_EQUAL(char(none[far]), ramjet::read(last));
  EXPECT((none[far].address() == last));
  EXPECT_OK(ramjet::barrier());
  none[far] = char(7);
  EXPECT_EQUAL(ramjet::read(last), char(7));
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(rows);
}

// Ranks write neighbouring bytes and shorts of the same words at the same time.
SPMD_CASE(access, neighbours_are_not_disturbed) {
  const auto bytes = ramjet::all_spread_malloc<std::uint8_t[4096]>(1);
  const auto shorts = ramjet::all_spread_malloc<std::uint16_t[4096]>(1);
  const auto rounds = spmd::scaled(50);
  for (std::size_t round = 1; round <= rounds; ++round) {
    const auto rank = std::size_t(spmd::rank()), ranks = std::size_t(spmd::size());
    for (std::size_t i = rank; i < 4096; i += ranks) {
      bytes[0][std::ptrdiff_t(i)] = std::uint8_t(i + round);
      shorts[0][std::ptrdiff_t(i)] = std::uint16_t(i * round);
    }
    EXPECT_OK(ramjet::barrier());
    for (std::size_t i = rank; i < 4096; i += 7) {
      EXPECT(bytes[0][std::ptrdiff_t(i)] == std::uint8_t(i + round));
      EXPECT(shorts[0][std::ptrdiff_t(i)] == std::uint16_t(i * round));
    }
    EXPECT_OK(ramjet::barrier());
  }
  ramjet::all_spread_free(shorts);
  ramjet::all_spread_free(bytes);
}

// Memory of segment_allocate has global pointers too, and both of its addresses are the rank's.
SPMD_CASE(access, a_segments_memory_is_named_from_anywhere) {
  std::span<int> mine = ramjet::segment_array<int>(10);
  const global_ptr<int> p(mine.data());
  EXPECT_EQUAL(p.rank(), spmd::rank());
  std::vector<global_ptr<int>> all(std::size_t(spmd::size()));
  EXPECT_OK(ramjet::gather(p, all.data()));
  EXPECT_OK(ramjet::broadcast(std::span(all)));
  ramjet::write(all[std::size_t(spmd::right())] + 3, 1000 + spmd::rank());
  EXPECT_OK(ramjet::barrier());
  EXPECT_EQUAL(mine[3], 1000 + (spmd::rank() + spmd::size() - 1) % spmd::size());
  EXPECT_EQUAL(p.local()[3], mine[3]);
  EXPECT_EQUAL(ramjet::segment_owner(p.local()), spmd::rank());
  ramjet::segment_free(p.local());
}

// Store buffering: of two ranks that each write one word and then read the other's, one at least
// sees the other's. Own words and far ones alike.
SPMD_CASE(access, writes_and_reads_are_sequentially_consistent) {
  const auto ranks = std::size_t(spmd::size());
  const auto flags = ramjet::all_spread_malloc<std::uint64_t[2]>(ranks);
  const auto seen = ramjet::all_spread_malloc<std::uint64_t>(ranks);
  const auto turn = ramjet::all_spread_malloc<std::uint64_t>(ranks);
  for (int i = 0; i < 2; ++i) (flags + spmd::rank()).local()[0][i] = 0;
  *(turn + spmd::rank()).local() = 0;
  EXPECT_OK(ramjet::barrier());
  if (spmd::rank() < 2 && spmd::size() > 1) {
    const int me = spmd::rank(), other = 1 - me;
    const auto meet = [&](std::uint64_t when) {
      ramjet::write(turn + me, when);
      while (ramjet::read(turn + other) < when) ramjet::poll();
    };
    const auto rounds = spmd::scaled(3000, 20);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      const bool own = round % 2 == 0;  // whether I write my own word
      const global_ptr<std::uint64_t> x = flags[own ? me : other] + me;
      const global_ptr<std::uint64_t> y = flags[own ? other : me] + other;
      ramjet::write(x, round);
      const std::uint64_t saw = ramjet::read(y);
      ramjet::write(seen + me, saw);
      meet(2 * round);
      EXPECT(saw >= round || ramjet::read(seen + other) >= round);
      meet(2 * round + 1);
    }
  }
  EXPECT_OK(ramjet::barrier());
  for (const auto& done : {turn, seen}) ramjet::all_spread_free(done);
  ramjet::all_spread_free(flags);
}

namespace {

// Every access to a value three bytes behind an aligned place, at `there` and at the next value.
template <class T>
void travels_misaligned(global_ptr<char> there) {
  const global_ptr<T> at(there + 3);
  const T first = T(0x0123456789abcdef), second = T(0x7edcba9876543210);
  ramjet::write(at, first);
  at[1] = second;
  EXPECT(ramjet::read(at) == first && T(at[1]) == second);
  at[1] += 1;
  ramjet::put(at, second);
  EXPECT_OK(ramjet::sync_all());
  T got[2] = {};
  ramjet::get(&got[0], at);
  ramjet::get(&got[1], at + 1);
  EXPECT_OK(ramjet::sync_all());
  EXPECT(got[0] == second && got[1] == T(second + 1));
  EXPECT_OK(ramjet::put_future(at, first).wait());
  EXPECT(ramjet::get_future(at).get() == first);
  ramjet::store(at + 1, first);
  EXPECT_OK(ramjet::all_store_sync());
  EXPECT(ramjet::read(at + 1) == first);
  const unsigned places[] = {1, 0};
  const T values[] = {first, second};
  ramjet::write_each(at, std::span<const unsigned>(places), values);
  ramjet::read_each(at, std::span<const unsigned>(places), got);
  EXPECT(got[0] == first && got[1] == second && ramjet::read(at) == second);
}

}  // namespace

// Packed structures have such values. Only atomic operations need aligned ones.
SPMD_CASE(access, values_need_no_alignment) {
  const auto all = ramjet::all_spread_malloc<char[64]>(std::size_t(spmd::size()));
  std::memset(*(all + spmd::rank()).local(), 'x', 64);
  EXPECT_OK(ramjet::barrier());
  const global_ptr<char> there = *(all + spmd::right());
  travels_misaligned<std::int16_t>(there);
  travels_misaligned<std::int32_t>(there);
  travels_misaligned<std::int64_t>(there);
  EXPECT_EQUAL(ramjet::read(there + 2), 'x');
  EXPECT_EQUAL(ramjet::read(there + 19), 'x');
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(all);
}
