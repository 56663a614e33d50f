// SPDX-License-Identifier: Apache-2.0
// What sync means to user-level threads that share an endpoint.
#include "ramjet/threads.hpp"
#include "ramjet/ult/scheduler.hpp"
#include "spmd.hpp"

namespace {

struct place {
  std::uint64_t changes, gate;
};
void change(place* p) { ++p->changes; }
enum : std::uint64_t { kLeftBarrier = 1, kClosed, kOpen };

ramjet::spread_ptr<place> all_places() {
  const auto all = ramjet::all_spread_malloc<place>(std::size_t(spmd::size()));
  *(all + spmd::rank()).local() = {};
  EXPECT_OK(ramjet::barrier());
  return all;
}
void free_places(ramjet::spread_ptr<place> all) {
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(all);
}

const ramjet::ult::attributes kAtEndpoint{.worker = 0};

bool all_are_near() {
  for (int rank = 0; rank < spmd::size(); ++rank)
    if (!ramjet::detail::live_space.is_near(std::uint64_t(unsigned(rank)))) return false;
  return true;
}

}  // namespace

// Once both have left the barrier, rank 1 runs no procedure before it sees the gate open. A thread
// of rank 0 opens it after its sync, while a procedure of another thread is under way.
SPMD_CASE(user_threads, sync_waits_for_the_callers_own) {
  if (spmd::size() == 1 || !all_are_near()) return spmd::skip("needs two ranks, on one node");
  const auto all = all_places();
  const auto there = all + 1;
  const auto changes = [&] { return ramjet::read(there.member(&place::changes)); };
  const auto gate = there.member(&place::gate);
  if (spmd::rank() == 0) {
    ramjet::write(gate, kLeftBarrier);
    while (ramjet::read(gate) != kClosed) ramjet::poll();
    bool begun = false;
    auto waits = ramjet::ult::spawn(kAtEndpoint, [&] {
      EXPECT_OK(ramjet::run_atomic<&change>(there));
      begun = true;
      EXPECT_OK(ramjet::sync_all());
      EXPECT_EQUAL(changes(), 1u);
    });
    auto has_none = ramjet::ult::spawn(kAtEndpoint, [&] {
      while (!begun) ramjet::ult::this_thread::yield();
      EXPECT_OK(ramjet::sync_all());
      EXPECT(ramjet::is_sync());
      ramjet::write(gate, kOpen);
    });
    has_none.join();
    waits.join();
  } else if (spmd::rank() == 1) {
    while (ramjet::read(gate) != kLeftBarrier) ramjet::poll();
    ramjet::write(gate, kClosed);
    const spmd::stopwatch waited;
    while (ramjet::read(gate) != kOpen) EXPECT(waited.ms() < 20'000);
  }
  free_places(all);
}

SPMD_CASE(user_threads, sync_waits_for_what_ended_threads_have_left) {
  const auto all = all_places();
  const auto there = all + spmd::right();
  std::uint64_t got = 0;
  const std::uint64_t rounds = spmd::scaled(100, 10);
  for (std::uint64_t i = 1; i <= rounds; ++i) {
    ramjet::ult::spawn(kAtEndpoint, [&] {
      EXPECT_OK(ramjet::run_atomic<&change>(there));
      ramjet::put(there.member(&place::gate), i);
      ramjet::get(&got, there.member(&place::gate));
    }).join();
    EXPECT_OK(ramjet::sync_all());
    EXPECT_EQUAL(got, i);
    EXPECT_EQUAL(ramjet::read(there.member(&place::changes)), i);
  }
  free_places(all);
}

// A thread that moves to the endpoint's worker begins and counts there, not where it was before. It
// may end elsewhere: what it leaves then ends all the same.
SPMD_CASE(user_threads, accesses_count_at_the_worker_where_they_begin) {
  if (ramjet::ult::workers(2) != 2) return spmd::skip("needs two workers");
  const auto all = all_places();
  const auto mine = all + spmd::rank(), there = all + spmd::right();
  const auto changes = [&] { return ramjet::read(there.member(&place::changes)); };
  const std::uint64_t rounds = spmd::scaled(20, 5);
  for (std::uint64_t i = 1; i <= rounds; ++i) {
    auto moves = ramjet::ult::spawn({.worker = 1}, [&] {
      const std::uint64_t before = ramjet::read(mine.member(&place::gate));
      ramjet::ult::this_thread::bind(0);
      std::uint64_t got = 0;
      EXPECT_OK(ramjet::run_atomic<&change>(there));
      ramjet::get(&got, there.member(&place::gate));
      EXPECT_OK(ramjet::sync_all());
      EXPECT(before == 0 && got == 0);
      EXPECT_EQUAL(changes(), 2 * i - 1);
      EXPECT_OK(ramjet::run_atomic<&change>(there));
      ramjet::ult::this_thread::bind(1);
    });
    moves.join();
    while (changes() != 2 * i) ramjet::poll();
  }
  EXPECT_OK(ramjet::sync_all());
  ramjet::ult::stop();
  free_places(all);
}
