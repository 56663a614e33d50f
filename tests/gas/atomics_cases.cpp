// SPDX-License-Identifier: Apache-2.0
// Atomic operations: what they return, and that none is lost under contention.
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::spread_ptr;

template <class T>
void do_what_they_say() {
  const auto a = ramjet::all_spread_malloc<T>(std::size_t(spmd::size()));
  const auto p = a + spmd::right();
  ramjet::write(p, T(12));
  EXPECT(ramjet::fetch_add(p, T(5)) == T(12));
  EXPECT(ramjet::fetch_and(p, T(0x1c)) == T(17));
  EXPECT(ramjet::fetch_or(p, T(3)) == T(16));
  EXPECT(ramjet::fetch_xor(p, T(0xff)) == T(19));
  EXPECT(ramjet::exchange(p, T(100)) == T(0xec));
  EXPECT(ramjet::compare_swap(p, T(99), T(1)) == T(100));
  EXPECT(ramjet::compare_swap(p, T(100), T(1)) == T(100));
  ramjet::add(p, T(-2));
  ramjet::sync_all();
  EXPECT(ramjet::read(p) == T(-1));
  EXPECT(ramjet::fetch_add(p, T(1)) == T(-1));
  EXPECT(ramjet::read(p) == T(0));
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(a);
}

}  // namespace

SPMD_CASE(atomics, do_what_they_say) {
  do_what_they_say<std::int32_t>();
  do_what_they_say<std::uint32_t>();
  do_what_they_say<std::int64_t>();
  do_what_they_say<std::uint64_t>();
}

// Everybody draws numbers from one counter, and adds to another: no number twice, no add lost.
SPMD_CASE(atomics, none_is_lost) {
  const auto counters = ramjet::all_spread_malloc<std::uint64_t[3]>(1);
  const auto tickets = counters[0], sum = tickets + 1, lock = tickets + 2;
  const auto each = spmd::scaled(20'000, 100);
  const auto drawn = ramjet::all_spread_malloc<std::uint32_t>(each * std::size_t(spmd::size()));
  if (spmd::rank() == 0)
    for (int i = 0; i < 3; ++i) tickets[i] = 0;
  ramjet::for_my_1d(each * std::size_t(spmd::size()),
                    [&](std::size_t i) { *(drawn + std::ptrdiff_t(i)).local() = 0; });
  EXPECT_OK(ramjet::barrier());
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < each; ++i) {
    const std::uint64_t ticket = ramjet::fetch_add(tickets, 1u);
    EXPECT(i == 0 || ticket > last);
    last = ticket;
    EXPECT_EQUAL(ramjet::exchange(drawn + std::ptrdiff_t(ticket), 1u), 0u);
    ramjet::add(sum, ticket);
  }
  ramjet::sync_all();
  EXPECT_OK(ramjet::barrier());
  const std::uint64_t all = each * unsigned(spmd::size());
  EXPECT_EQUAL(ramjet::read(tickets), all);
  EXPECT_EQUAL(ramjet::read(sum), all * (all - 1) / 2);
  EXPECT_OK(ramjet::barrier());
  // A lock of compare_swap guards a read and a write.
  const auto turns = spmd::scaled(300, 20);
  for (std::size_t i = 0; i < turns; ++i) {
    while (ramjet::compare_swap(lock, 0, 1) != 0) ramjet::poll();
    *sum = std::uint64_t(*sum) + 1;
    ramjet::write(lock, 0);
  }
  EXPECT_OK(ramjet::barrier());
  EXPECT_EQUAL(ramjet::read(sum), all * (all - 1) / 2 + turns * unsigned(spmd::size()));
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(drawn);
  ramjet::all_spread_free(counters);
}
