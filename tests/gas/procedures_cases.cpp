// SPDX-License-Identifier: Apache-2.0
// Atomic procedures: where and when they run, what they bring back, and what sync waits for.
#include "spmd.hpp"

namespace {

using ramjet::global_ptr;

struct account {
  std::int64_t balance;
  std::uint32_t changes;
  std::int32_t last_caller;
};

std::int64_t deposit(account* a, std::int64_t amount, std::int32_t caller) {
  a->balance += amount;
  ++a->changes;
  a->last_caller = caller;
  return a->balance;
}
void note(account* a) { ++a->changes; }
std::int64_t balance_of(const account* a) noexcept { return a->balance; }
int where_it_runs(const account*) { return ramjet::rank(); }

// Every rank's account, zeroed.
ramjet::spread_ptr<account> open_accounts() {
  const auto all = ramjet::all_spread_malloc<account>(std::size_t(spmd::size()));
  *(all + spmd::rank()).local() = {};
  EXPECT_OK(ramjet::barrier());
  return all;
}
void close_accounts(ramjet::spread_ptr<account> all) {
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(all);
}

}  // namespace

SPMD_CASE(procedures, bring_their_result_back) {
  const auto all = open_accounts();
  const auto mine = all + spmd::right();  // nobody else's
  EXPECT_EQUAL(ramjet::call_atomic<&where_it_runs>(mine).get(), spmd::right());
  EXPECT_EQUAL(ramjet::call_atomic<&deposit>(mine, 40, spmd::rank()).get(), 40);
  EXPECT_EQUAL(ramjet::call_atomic<&deposit>(mine, 2, spmd::rank()).get(), 42);
  const global_ptr<const account> seen = global_ptr<account>(mine);
  EXPECT_EQUAL(ramjet::call_atomic<&balance_of>(seen).get(), 42);
  EXPECT_OK(ramjet::call_atomic<&note>(mine).wait());
  const account a = *mine;
  EXPECT(a.changes == 3 && a.last_caller == spmd::rank());
  close_accounts(all);
}

SPMD_CASE(procedures, are_complete_at_sync) {
  const auto all = open_accounts();
  const auto mine = all + spmd::right();
  const auto rounds = std::int64_t(spmd::scaled(2000, 10));
  for (std::int64_t i = 1; i <= rounds; ++i) {
    EXPECT_OK(ramjet::run_atomic<&deposit>(mine, i, spmd::rank()));
    if (i % 16 != 0) continue;
    EXPECT_OK(ramjet::sync_all());
    EXPECT(ramjet::is_sync());
    EXPECT_EQUAL(ramjet::read(mine.member(&account::balance)), i * (i + 1) / 2);
  }
  while (!ramjet::is_sync()) {
  }
  EXPECT_EQUAL(ramjet::read(mine.member(&account::changes)), std::uint32_t(rounds));
  close_accounts(all);
}

// All ranks at one account, whose owner changes it too, in two steps and without a lock.
SPMD_CASE(procedures, are_atomic_with_the_owners_computation) {
  const auto all = open_accounts();
  const auto rounds = spmd::scaled(3000, 10);
  for (std::size_t i = 0; i < rounds; ++i) {
    if (spmd::rank() == 0) {
      volatile std::int64_t& balance = all.local()->balance;
      const std::int64_t before = balance;
      balance = -1;
      balance = before + 1;
      ramjet::poll();
    } else {
      EXPECT_OK(ramjet::run_atomic<&deposit>(all, 1, spmd::rank()));
      if (i % 64 == 0) EXPECT(ramjet::call_atomic<&balance_of>(all).get() >= 0);
    }
  }
  EXPECT_OK(ramjet::sync_all());
  EXPECT_OK(ramjet::barrier());
  EXPECT_EQUAL(ramjet::read(all.member(&account::balance)), std::int64_t(rounds) * spmd::size());
  close_accounts(all);
}
