// SPDX-License-Identifier: Apache-2.0
// A bank whose accounts are spread over all ranks. Transfers are atomic procedures: each half runs
// where the account is, atomic with respect to whatever else is done there. A ledger on rank 0 that
// takes more than one step to write is guarded by a lock.
//
//   ramjet run -n 4 bank
#include <cstdio>
#include <mutex>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kAccounts = 100;  // of each rank
constexpr int kTransfers = 1000;
constexpr long kAtStart = 50;

// Runs at the account's rank: takes what is there, at most `amount`.
long withdraw(long* balance, long amount) {
  const long taken = amount < *balance ? amount : *balance;
  *balance -= taken;
  return taken;
}
void deposit(long* balance, long amount) { *balance += amount; }

// Written under the lock only.
struct ledger {
  int transfers;
  long moved;
};

unsigned next_number(unsigned& state) { return state = state * 1664525 + 1013904223, state >> 8; }

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const int all = kAccounts * ramjet::size();
  const auto accounts = ramjet::all_spread_malloc<long>(std::size_t(all));
  ramjet::for_my_1d(std::size_t(all),
                    [&](std::size_t i) { *(accounts + std::ptrdiff_t(i)).local() = kAtStart; });
  ramjet::barrier();  // a procedure may come as soon as another rank goes on

  // The lock and the ledger are rank 0's; everybody gets to know where they are.
  struct {
    ramjet::global_mutex lock;
    ramjet::global_ptr<ledger> book;
  } office;
  if (ramjet::rank() == 0)
    office = {ramjet::global_mutex::make(),
              ramjet::global_ptr<ledger>(ramjet::segment_array<ledger>(1).data())};
  ramjet::broadcast(office);

  unsigned seed = unsigned(ramjet::rank()) + 1;
  long moved = 0;
  for (int i = 0; i < kTransfers; ++i) {
    const auto from = accounts + int(next_number(seed) % unsigned(all));
    const auto to = accounts + int(next_number(seed) % unsigned(all));
    const long amount = ramjet::call_atomic<&withdraw>(from, 10).get();  // waits for the answer
    ramjet::run_atomic<&deposit>(to, amount);  // complete at sync_all()
    moved += amount;
  }
  ramjet::sync_all();
  {
    const std::lock_guard hold(office.lock);
    ledger book = *office.book;
    book.transfers += kTransfers;
    book.moved += moved;
    *office.book = book;
  }
  ramjet::barrier();

  bool well = true;
  if (ramjet::rank() == 0) {
    long money = 0;
    for (int i = 0; i < all; ++i) money += accounts[i];
    const ledger book = *office.book;
    well = money == all * kAtStart && book.transfers == kTransfers * ramjet::size();
    std::printf("%d accounts on %d ranks: %ld in all, %d transfers of %ld: %s\n", all,
                ramjet::size(), money, book.transfers, book.moved,
                well ? "nothing lost" : "MONEY IS LOST");
  }
  ramjet::barrier();
  if (ramjet::rank() == 0) office.lock.destroy();
  ramjet::all_spread_free(accounts);
  ramjet::finalize();
  return well ? 0 : 1;
}
