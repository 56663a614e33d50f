// SPDX-License-Identifier: Apache-2.0
// What survivors are told of locks, queues, tables and arrays whose memory a dead rank owned. On
// its own node that memory stays; on another node it is lost, and nothing may look as if it had
// been reached. For three ranks or more, under --on-failure=continue; rank 1 dies. The argument
// names the case.
#include <ramjet/splitc.h>
#include <ramjet/ramjet.hpp>
#include <ramjet/threads.hpp>

#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace {

using ramjet::global_ptr;
using ramjet::status;

constexpr int kOwner = 1;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("rank %d: not so: %s\n", ramjet::rank(), what);
  std::fflush(stdout);
  std::_Exit(1);
}

// Whether access() throws what tells of a death.
template <class Access>
bool fails(Access&& access) {
  try {
    access();
  } catch (const ramjet::failure& f) {
    return f.code() == status::peer_failed && f.who().rank == kOwner;
  }
  return false;
}

bool is_lost() { return !ramjet::detail::live_space.is_near(kOwner); }

int arrived = 0;
void on_arrival() { ++arrived; }

// Until `how_many` have sent an arrival here; other ranks may die meanwhile.
void await_arrivals(int how_many) {
  while (ramjet::wait_until([=] { return arrived >= how_many; }) != status::ok) {
  }
}

// The owner dies once all others have left the barrier before; they return once they know of it.
void let_the_owner_die() {
  if (ramjet::rank() == kOwner) {
    await_arrivals(ramjet::size() - 1);
    raise(SIGKILL);
  }
  ramjet::request<&on_arrival>(kOwner);
  while (ramjet::last_failure().rank != kOwner) ramjet::poll();
}

// --- Locks ---------------------------------------------------------------------------------------

ramjet::global_mutex lock_at_owner() {
  ramjet::global_mutex lock;
  if (ramjet::rank() == kOwner) lock = ramjet::global_mutex::make();
  expect(ramjet::broadcast(lock, kOwner) == status::ok, "all have the lock");
  return lock;
}

void expect_lost(ramjet::global_mutex lock) {
  for (int i = 0; i < 2; ++i) {
    expect(lock.lock() == status::peer_failed, "lock fails");
    expect(!lock.try_lock(), "try_lock fails");
  }
  lock.unlock();
  expect(ramjet::sync_all() == status::ok, "sync has nothing to tell");
}

// The memory stays on its node, and nobody holds the lock for long.
void expect_kept(ramjet::global_mutex lock) {
  status s = lock.lock();
  if (s == status::peer_failed) s = lock.lock();  // where it waits, a wait tells of the death once
  expect(s == status::ok, "the lock's memory stays on its node");
  lock.unlock();
}

void open_lock() {
  ramjet::global_mutex lock = lock_at_owner();
  ramjet::barrier();
  let_the_owner_die();
  is_lost() ? expect_lost(lock) : expect_kept(lock);
}

void lock_held_by_owner() {
  ramjet::global_mutex lock = lock_at_owner();
  if (ramjet::rank() == kOwner) expect(lock.lock() == status::ok, "the owner holds it");
  ramjet::barrier();
  let_the_owner_die();
  for (int i = 0; i < 2; ++i) {
    expect(lock.lock() == status::peer_failed, "lock fails");
    expect(!lock.try_lock(), "try_lock fails");
  }
}

int waits_ended = 0;
void on_wait_ended() { ++waits_ended; }

// The last rank holds it, and all others wait for it, when the owner dies. It is held until all of
// these waits have ended, so nothing but the death ends them.
void lock_waited_for() {
  ramjet::global_mutex lock = lock_at_owner();
  const int holder = ramjet::size() - 1;
  const bool holds = ramjet::rank() == holder;
  if (holds) expect(lock.lock() == status::ok, "the last rank holds it");
  ramjet::barrier();
  if (holds || ramjet::rank() == kOwner) {
    let_the_owner_die();
    while (ramjet::wait_until([] { return waits_ended == ramjet::size() - 2; }) != status::ok) {
    }
    lock.unlock();
  } else {
    ramjet::request<&on_arrival>(kOwner);
    expect(lock.lock() == status::peer_failed, "the death ends a wait for the lock");
    ramjet::request<&on_wait_ended>(holder);
  }
  if (is_lost()) return expect_lost(lock);
  // Elsewhere the holder could not open it.
  if (ramjet::node_of(holder) == ramjet::node_of(kOwner)) expect_kept(lock);
}

// --- Queues --------------------------------------------------------------------------------------

void queue() {
  constexpr std::size_t kCapacity = 8;
  const auto queue = ramjet::work_queue<long>::all_make(kCapacity);
  let_the_owner_die();
  if (is_lost()) {
    for (std::size_t i = 0; i < 2 * kCapacity; ++i) {
      expect(queue.try_push(kOwner, 1) == status::peer_failed, "try_push fails");
      expect(queue.push(kOwner, 1) == status::peer_failed, "push fails");
    }
    expect(!queue.try_take(kOwner), "nothing is taken from it");
    expect(fails([&] { static_cast<void>(queue.count(kOwner)); }), "count fails");
  }
  expect(queue.push(ramjet::rank(), 1) == status::ok, "a living rank's queue takes items");
  std::optional<long> item;
  // What waits for work waits for what the dead might have given.
  for (status s = status::ok; s != status::peer_failed;) {
    s = queue.next(item);
    expect(s != status::ok || item, "it is not said that all is done");
  }
  if (is_lost()) expect(queue.all_restart() == status::peer_failed, "all_restart fails");
}

// --- Tables, procedures, arrays ------------------------------------------------------------------

void add_to(long& value, long by) { value += by; }
long negative(const long* value) { return value != nullptr ? -*value : 0; }
long count_up(long* value) { return ++*value; }

void table() {
  const auto table = ramjet::hash_table<long, long>::all_make();
  let_the_owner_die();
  unsigned at_owner = 0, at_home = 0;
  for (long key = 0; at_owner < 5 || at_home < 5; ++key) {
    const bool lost = table.owner_of(key) == kOwner;
    if (!lost && table.owner_of(key) != ramjet::rank()) continue;
    const status wanted = lost ? status::peer_failed : status::ok;
    ++(lost ? at_owner : at_home);
    expect(table.update<add_to>(key, 7L) == wanted, "update");
    expect(table.chain_update<add_to>(key, 1L) == wanted, "chain_update");
    auto found = table.find(key);
    expect(found.wait() == wanted, "find");
    expect(lost ? fails([&] { static_cast<void>(found.get()); }) : found.get() == 8, "its value");
    expect(table.ask<negative>(key).wait() == wanted, "ask");
    expect(table.assign(key, 1) == wanted, "assign");
    expect(table.erase(key) == wanted, "erase");
  }
}

void procedures() {
  const auto all = ramjet::all_spread_malloc<long>(std::size_t(ramjet::size()));
  *(all + ramjet::rank()).local() = 10;
  ramjet::barrier();
  let_the_owner_die();
  const auto there = global_ptr<long>(all + kOwner);
  auto result = ramjet::call_atomic<count_up>(there);
  expect(result.wait() == status::peer_failed, "call_atomic fails");
  expect(fails([&] { static_cast<void>(result.get()); }), "and brings nothing");
  expect(ramjet::run_atomic<count_up>(there) == status::peer_failed, "run_atomic fails");
  expect(ramjet::sync_all() == status::peer_failed, "sync tells it");
  expect(ramjet::sync_all() == status::ok, "once");
}

// Each user-level thread hears of its own accesses, whoever calls sync first; what a thread leaves
// behind is told to the first.
void user_threads() {
  const auto all = ramjet::all_spread_malloc<long>(std::size_t(ramjet::size()));
  *(all + ramjet::rank()).local() = 10;
  ramjet::barrier();
  let_the_owner_die();
  const auto there = global_ptr<long>(all + kOwner);
  const status wanted = is_lost() ? status::peer_failed : status::ok;
  int begun = 0;
  long got[2];
  const auto gets = [&](int i) {
    ramjet::get(&got[i], there);
    ++begun;
    while (begun != 2) ramjet::ult::this_thread::yield();
    expect(ramjet::sync_all() == wanted, "each thread's sync tells of its own get");
    expect(ramjet::sync_all() == status::ok, "once");
  };
  const auto has_none = [&] {
    while (begun != 2) ramjet::ult::this_thread::yield();
    expect(ramjet::sync_all() == status::ok, "sync tells nothing of others' gets");
  };
  auto idle = ramjet::ult::spawn(has_none);
  auto first = ramjet::ult::spawn(gets, 0), second = ramjet::ult::spawn(gets, 1);
  has_none();
  idle.join();
  first.join();
  second.join();
  ramjet::ult::spawn([&] { ramjet::get(&got[0], there); }).join();
  expect(ramjet::sync_all() == wanted, "sync tells of a get of a thread that has ended");
  expect(ramjet::sync_all() == status::ok, "once");
}

void arrays() {
  auto array = ramjet::block_array<long>::all_malloc(4 * std::size_t(ramjet::size()), 2);
  array.for_my_elements([](std::size_t i, long& x) { x = long(i); });
  ramjet::barrier();
  let_the_owner_die();
  const std::size_t of_owner = 2, of_zero = 1;
  expect(array.owner_of(of_owner) == kOwner && array[of_zero] == 1, "the living are read");
  if (is_lost()) {
    expect(fails([&] { static_cast<void>(long(array[of_owner])); }), "an element is not read");
    expect(fails([&] { array[of_owner] = 5; }), "nor written");
    expect(fails([&] { array[of_owner] += 5; }), "nor changed");
  } else {
    expect(array[of_owner] == long(of_owner), "the memory stays on its node");
  }
}

// --- C -------------------------------------------------------------------------------------------

splitc_global c_pointer(ramjet::spread_ptr<std::uint64_t> all, int rank) {
  return {(all + rank).bits()};
}

// What returns a value brings 0, and the next splitc_sync tells.
void expect_untold(bool is_nothing, const char* what) {
  expect(is_nothing, what);
  expect(splitc_sync() == RAMJET_PEER_FAILED, "splitc_sync tells it");
  expect(splitc_sync() == RAMJET_OK, "once");
}

void c_face() {
  const auto all = ramjet::all_spread_malloc<std::uint64_t>(std::size_t(ramjet::size()));
  *(all + ramjet::rank()).local() = 10;
  const ramjet::global_mutex made = lock_at_owner();
  const splitc_global lock{made.where().bits()};
  ramjet::barrier();
  let_the_owner_die();
  const splitc_global there = c_pointer(all, kOwner);
  if (!is_lost()) return expect(splitc_read_int64(there) == 10, "the memory stays on its node");
  expect_untold(splitc_read_int64(there) == 0, "splitc_read");
  expect_untold(splitc_fetch_add_int64(there, 1) == 0, "splitc_fetch_add");
  expect_untold(splitc_compare_swap_int64(there, 0, 1) == 0, "splitc_compare_swap");
  expect_untold(splitc_exchange_int32(there, 1) == 0, "splitc_exchange");
  std::uint64_t bytes[4] = {};
  const auto told = [](auto access, const char* what) {
    access();
    expect_untold(true, what);
  };
  told([&] { splitc_write_int64(there, 1); }, "splitc_write");
  told([&] { splitc_get_uint64(bytes, there); }, "splitc_get");
  told([&] { splitc_put_uint64(there, 1); }, "splitc_put");
  told([&] { splitc_bulk_read(bytes, there, 8); }, "splitc_bulk_read");
  told([&] { splitc_bulk_write(there, bytes, 8); }, "splitc_bulk_write");
  told([&] { splitc_bulk_read_rows(bytes, there, {1, 8, 8, 8}); }, "splitc_bulk_read_rows");
  told([&] { splitc_bulk_write_rows(there, bytes, {1, 8, 8, 8}); }, "splitc_bulk_write_rows");
  told([&] { splitc_add_int64(there, 1); }, "splitc_add");
  const splitc_global mine = c_pointer(all, ramjet::rank());
  told([&] { splitc_bulk_put_signal(there, bytes, 8, mine, 1); }, "splitc_bulk_put_signal");
  expect(splitc_read_uint64(mine) == 10, "it does not signal what was not put");
  expect(splitc_lock(lock) == RAMJET_PEER_FAILED && !splitc_try_lock(lock), "splitc_lock fails");
  splitc_unlock(lock);
  expect(splitc_sync() == RAMJET_OK, "locks tell by themselves");
}

const std::map<std::string, std::function<void()>> cases{
    {"open_lock", open_lock},
    {"lock_held_by_owner", lock_held_by_owner},
    {"lock_waited_for", lock_waited_for},
    {"queue", queue},
    {"table", table},
    {"procedures", procedures},
    {"user_threads", user_threads},
    {"arrays", arrays},
    {"c_face", c_face},
};

// Nobody leaves before all have looked: they read each other's memory.
void meet_survivors() {
  const int others = ramjet::size() - 2;
  if (ramjet::rank() == 0) {
    await_arrivals(others);
    std::printf("all survivors agree\n");
    for (int r = 2; r < ramjet::size(); ++r) ramjet::request<&on_arrival>(r);
  } else {
    ramjet::request<&on_arrival>(0);
    await_arrivals(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  cases.at(argc > 1 ? argv[1] : "")();
  meet_survivors();
  ramjet::finalize();
}
