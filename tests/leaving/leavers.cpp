// SPDX-License-Identifier: Apache-2.0
// Three ranks, --on-failure=continue: rank 2 dies, rank 1 hears of it and leaves while it holds a
// lock, and rank 0 goes on. Whatever it waits for that only the others could bring comes to an end.
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "ramjet/ramjet.hpp"

namespace {

using ramjet::status;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "leavers: rank %d: %s\n", ramjet::rank(), what);
  std::_Exit(1);
}

std::uint64_t count_up(std::uint64_t* word) { return ++*word; }

struct shared_memory {
  ramjet::global_ptr<std::uint64_t> words;  // one of each rank, at the same address
  ramjet::global_mutex lock;  // rank 0's
};

void stay_behind(shared_memory m) {
  const ramjet::global_ptr<std::uint64_t> mine = m.words, left(1, m.words.local());
  expect(ramjet::store_sync(8) == status::peer_failed, "store_sync");
  expect(ramjet::wait_signal(mine, 1) == status::peer_failed, "wait_signal");
  expect(m.lock.lock() == status::peer_failed, "a lock whose holder has left");
  static_cast<void>(ramjet::run_atomic<&count_up>(left));
  expect(ramjet::sync_all() == status::peer_failed, "sync after a procedure at a rank that left");
  expect(ramjet::sync_all() == status::ok, "the next sync");
  static_cast<void>(ramjet::run_atomic<&count_up>(left));
  while (!ramjet::is_sync()) static_cast<void>(ramjet::wait_for(1, [] { return false; }));
  expect(ramjet::sync_all() == status::peer_failed, "sync after is_sync");
  expect(ramjet::run_atomic<&count_up>(mine) == status::ok, "a procedure of one's own");
  expect(ramjet::sync_all() == status::ok && ramjet::read(mine) == 1, "sync after that");
  expect(ramjet::call_atomic<&count_up>(left).wait() == status::peer_failed, "call_atomic");
  std::puts("the one that stayed was told each time");
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const auto words = ramjet::all_spread_malloc<std::uint64_t>(std::size_t(ramjet::size()));
  *words.local() = 0;
  shared_memory m{ramjet::global_ptr<std::uint64_t>(words), {}};
  if (ramjet::rank() == 0) m.lock = ramjet::global_mutex::make();
  ramjet::broadcast(m);
  ramjet::barrier();
  if (ramjet::rank() == 1) expect(m.lock.lock() == status::ok, "an open lock");
  status s = ramjet::barrier();  // others may be in it when rank 2 is out of it, and dies
  if (ramjet::rank() == 2) ::kill(::getpid(), SIGKILL);
  if (s == status::ok) s = ramjet::wait_until([] { return false; });
  expect(s == status::peer_failed, "a death");
  if (ramjet::rank() == 0) stay_behind(m);
  ramjet::finalize();
  return 0;
}
