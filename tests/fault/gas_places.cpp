// SPDX-License-Identifier: Apache-2.0
// Places to be in when a rank dies that are of the global address space.
#include <algorithm>
#include <array>
#include <optional>

#include "rank_that_dies.hpp"

namespace {

using ramjet::global_ptr;
using ramjet::status;

constexpr std::size_t kWords = 512;
using block = std::uint64_t[kWords];

int right() { return (ramjet::rank() + 1) % ramjet::size(); }

// Null if one was dead already.
ramjet::spread_ptr<block> all_blocks() {
  return ramjet::all_spread_malloc<block>(std::size_t(ramjet::size()));
}
global_ptr<std::uint64_t> words_of(ramjet::spread_ptr<block> all, int rank) {
  return *global_ptr<block>(all + rank);
}

// Nothing here waits for anybody: the dead one's memory stays, and goes on being read and written.
status in_accesses() {
  const auto all = all_blocks();
  if (all == nullptr) return ramjet::barrier();
  const auto there = words_of(all, victim());
  std::array<std::uint64_t, kWords> here{};
  while (ramjet::alive(victim())) {
    ramjet::write(there, ramjet::read(there) + 1);
    ramjet::get(here.data(), there + 1);
    ramjet::put(there + 2, 1);
    if (const status s = ramjet::sync_all(); s != status::ok) return s;
    ramjet::store(there + 3, 1);
    ramjet::fetch_add(there + 4, 1);
    ramjet::bulk_put(there + 8, here.data(), sizeof here / 2);
    ramjet::bulk_read(here.data(), there, sizeof here);
    ramjet::poll();
  }
  return ramjet::barrier();
}
status in_store_sync() {
  const auto all = all_blocks();
  if (all == nullptr) return ramjet::barrier();
  const auto to = words_of(all, right());
  for (;;) {
    if (ramjet::rank() != victim() || ramjet::size() > 2) ramjet::store(to, 1);
    if (const status s = ramjet::store_sync(8); s != status::ok) return s;
  }
}
status in_all_store_sync() {
  const auto all = all_blocks();
  if (all == nullptr) return ramjet::barrier();
  for (int to = 0;; to = (to + 1) % ramjet::size()) {
    ramjet::store(words_of(all, to) + ramjet::rank(), 1);
    if (const status s = ramjet::all_store_sync(); s != status::ok) return s;
  }
}
status in_allocations() {
  for (;;) {
    const auto all = all_blocks();
    if (all == nullptr) return ramjet::barrier();
    ramjet::all_spread_free(all);
  }
}

std::uint64_t count_up(std::uint64_t* word) { return ++*word; }

status in_procedures() {
  const auto all = all_blocks();
  if (all == nullptr) return ramjet::barrier();
  const auto there = words_of(all, victim());
  if (is_victim()) return ramjet::wait_until([] { return false; });
  for (;;) {
    for (int i = 0; i < 10; ++i)
      if (ramjet::run_atomic<&count_up>(there) != status::ok) return ramjet::sync_all();
    if (const status s = ramjet::sync_all(); s != status::ok) return s;
    if (const status s = ramjet::call_atomic<&count_up>(there).wait(); s != status::ok) return s;
  }
}

// The lock is at a rank that lives on, and so it is in the hands of anybody when one dies.
status in_locks() {
  const auto all = all_blocks();
  const int home = (victim() + 1) % ramjet::size();
  const auto state = ramjet::all_spread_malloc<ramjet::mutex_state>(std::size_t(ramjet::size()));
  if (all == nullptr || state == nullptr) return ramjet::barrier();
  *(state + ramjet::rank()).local() = {};
  if (const status s = ramjet::barrier(); s != status::ok) return s;
  ramjet::global_mutex lock{global_ptr<ramjet::mutex_state>(state + home)};
  for (;;) {
    if (const status s = lock.lock(); s != status::ok) return s;
    words_of(all, home)[0] += 1;
    lock.unlock();
    if (!ramjet::alive(victim())) return ramjet::barrier();
  }
}

status in_signals() {
  const auto all = all_blocks();
  if (all == nullptr) return ramjet::barrier();
  const auto mine = words_of(all, ramjet::rank()), there = words_of(all, right());
  const std::uint64_t before = ramjet::read(mine);
  if (const status s = ramjet::barrier(); s != status::ok) return s;
  for (std::uint64_t round = 1;; ++round) {
    ramjet::put_signal(there + 1, round, there);
    if (const status s = ramjet::wait_signal(mine, before + round); s != status::ok) return s;
  }
}

// Items go from queue to queue, claimed and published all the time. Two for each rank, so there is
// always room; what the dead had taken never ends.
status in_work_queues() {
  static const auto queue = ramjet::work_queue<std::uint64_t>::all_make(64);
  if (!queue) return status::peer_failed;
  std::optional<std::uint64_t> item;
  for (std::uint64_t i = 0; i < 2; ++i)
    if (status s = queue.push(ramjet::rank(), i); s != status::ok) return s;
  for (;;) {
    if (status s = queue.next(item); s != status::ok) return s;
    const auto to = int(*item % std::uint64_t(ramjet::size()));
    if (status s = queue.push(to, *item * 5 + 1); s != status::ok) return s;
    if (ramjet::last_failure().rank >= 0) return status::peer_failed;
    ramjet::poll();
  }
}
// The one that is to die never asks for work, so the others wait for what it may give.
status out_of_work() {
  static const auto queue = ramjet::work_queue<int>::all_make(4);
  if (!queue) return status::peer_failed;
  if (is_victim()) return ramjet::wait_until([] { return false; });
  std::optional<int> item;
  return queue.next(item);
}
void count(std::uint64_t& n, std::uint64_t by) { n += by; }

status in_a_hash_table() {
  static const auto table = ramjet::hash_table<std::uint64_t, std::uint64_t>::all_make();
  if (!table) return status::peer_failed;
  for (std::uint64_t key = 0;; ++key) {
    if (status s = table.update<count>(key % 1000, key); s != status::ok) return s;
    if (key % 64 == 0)
      if (status s = table.find(key % 1000).wait(); s != status::ok) return s;
  }
}

constexpr place kPlaces[] = {
    {"access", in_accesses},          {"store_sync", in_store_sync},
    {"all_store", in_all_store_sync}, {"allocation", in_allocations},
    {"procedure", in_procedures},     {"lock", in_locks},
    {"signal", in_signals},           {"work_queue", in_work_queues},
    {"out_of_work", out_of_work},     {"hash_table", in_a_hash_table},
};

}  // namespace

std::span<const place> gas_places() { return kPlaces; }
