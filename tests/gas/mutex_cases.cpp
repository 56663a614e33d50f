// SPDX-License-Identifier: Apache-2.0
// Locks: that one rank at a time holds one, that everybody gets it, and that sleepers are woken.
#include <chrono>
#include <mutex>
#include <thread>

#include "spmd.hpp"

namespace {

using ramjet::global_mutex;
using ramjet::global_ptr;

struct guarded {
  std::uint64_t first, second;  // equal whenever the lock is open
  std::int64_t inside;
};

// One lock and what it guards, made by `owner`, known to all.
struct shared_room {
  global_mutex lock;
  global_ptr<guarded> data;
};
shared_room make_room(int owner) {
  shared_room room;
  if (spmd::rank() == owner) {
    room.lock = global_mutex::make();
    room.data = global_ptr<guarded>(ramjet::segment_array<guarded>(1).data());
  }
  EXPECT_OK(ramjet::broadcast(room, owner));
  return room;
}
void leave_room(shared_room& room) {
  EXPECT_OK(ramjet::barrier());
  if (room.data.rank() != spmd::rank()) return;
  ramjet::segment_free(room.data.local());
  room.lock.destroy();
  EXPECT(!room.lock);
}

// Alone inside, if the lock is one.
void step(const shared_room& room) {
  EXPECT_EQUAL(ramjet::fetch_add(room.data.member(&guarded::inside), 1), 0);
  const guarded g = *room.data;
  EXPECT_EQUAL(g.first, g.second);
  room.data.member(&guarded::first)[0] = g.first + 1;
  room.data.member(&guarded::second)[0] = g.second + 1;
  EXPECT_EQUAL(ramjet::fetch_add(room.data.member(&guarded::inside), -1), 1);
}

}  // namespace

SPMD_CASE(mutex, one_at_a_time) {
  shared_room room = make_room(spmd::size() - 1);
  const auto rounds = spmd::scaled(1000, 10);
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::lock_guard hold(room.lock);
    step(room);
  }
  EXPECT_OK(ramjet::barrier());
  EXPECT_EQUAL(ramjet::read(room.data.member(&guarded::first)), rounds * unsigned(spmd::size()));
  leave_room(room);
}

// Each waiter gets its turn: the others ask again and again meanwhile.
SPMD_CASE(mutex, hands_over_in_turn) {
  shared_room room = make_room(0);
  const auto rounds = spmd::scaled(100, 5);
  for (std::size_t i = 0; i < rounds; ++i) {
    EXPECT_OK(room.lock.lock());
    step(room);
    if (i % 4 == 0) ramjet::poll();
    room.lock.unlock();
    if (unsigned(spmd::rank()) % 3 == i % 3)
      while (!room.lock.try_lock()) ramjet::poll();
    else
      EXPECT_OK(room.lock.lock());
    step(room);
    room.lock.unlock();
  }
  EXPECT_OK(ramjet::barrier());
  EXPECT_EQUAL(ramjet::read(room.data.member(&guarded::second)),
               2 * rounds * unsigned(spmd::size()));
  leave_room(room);
}

// The holder keeps it so long that all others sleep.
SPMD_CASE(mutex, wakes_who_sleeps) {
  shared_room room = make_room(0);
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(room.lock.lock());
    step(room);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT(!room.lock.try_lock());
    room.lock.unlock();
  }
  leave_room(room);
}

// Many locks at once, each guarding a counter of its rank.
SPMD_CASE(mutex, many_locks) {
  const auto ranks = std::size_t(spmd::size());
  const auto states = ramjet::all_spread_malloc<ramjet::mutex_state>(ranks);
  const auto counters = ramjet::all_spread_malloc<std::uint64_t>(ranks);
  *(states + spmd::rank()).local() = {};
  *(counters + spmd::rank()).local() = 0;
  EXPECT_OK(ramjet::barrier());
  spmd::random random(spmd::given.seed + unsigned(spmd::rank()));
  const auto rounds = spmd::scaled(1000, 10);
  for (std::size_t i = 0; i < rounds; ++i) {
    const auto which = std::ptrdiff_t(random.below(ranks));
    global_mutex lock{global_ptr<ramjet::mutex_state>(states + which)};
    EXPECT_OK(lock.lock());
    counters[which] += 1;
    lock.unlock();
  }
  EXPECT_OK(ramjet::barrier());
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r < ranks; ++r) sum += counters[std::ptrdiff_t(r)];
  EXPECT_EQUAL(sum, rounds * ranks);
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(counters);
  ramjet::all_spread_free(states);
}
