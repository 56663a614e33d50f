// SPDX-License-Identifier: Apache-2.0
// Mutexes and semaphores that nobody else wants, and rings of ten threads of which each releases
// the next.
#include <atomic>
#include <vector>

#include "micro/bare_threads.hpp"
#include "micro/bodies.hpp"
#include "micro/ult_bodies.hpp"

namespace bench {
namespace {

constexpr unsigned kPairs = 200'000;
constexpr unsigned kThreads = 10;
constexpr unsigned kLaps = 4000;

// --- Uncontended --------------------------------------------------------------------------------

double mutex_ns(ult::mutex& m, unsigned count) {
  const double pair_ns = each_ns(count, [&m] {
    m.lock();
    memory_is_seen();
    m.unlock();
  });
  BENCH_CHECK(m.try_lock() && !m.try_lock(), "a mutex was not free after an unlock, or not held");
  m.unlock();
  return pair_ns;
}

double semaphore_ns(ult::semaphore& units, unsigned count) {
  const double pair_ns = each_ns(count, [&units] {
    units.release();
    memory_is_seen();
    units.acquire();
  });
  BENCH_CHECK(!units.try_acquire(), "a semaphore has more units than it was given");
  return pair_ns;
}

std::atomic<unsigned> word{0};

unsigned load() { return word.load(std::memory_order_relaxed); }
void store(unsigned value) { word.store(value, std::memory_order_relaxed); }

// A load, a test and a store; a store.
double plain_lock_ns(unsigned count) {
  return each_ns(count, [] {
    BENCH_CHECK(load() == 0, "the lock of the limit was not free");
    store(1);
    memory_is_seen();
    store(0);
  });
}

// A compare-and-swap; a store.
double atomic_lock_ns(unsigned count) {
  return each_ns(count, [] {
    unsigned free = 0;
    BENCH_CHECK(word.compare_exchange_strong(free, 1, std::memory_order_acquire),
                "the lock of the limit was not free");
    memory_is_seen();
    store(0);
  });
}

// An addition; a subtraction with its test.
double plain_units_ns(unsigned count) {
  return each_ns(count, [] {
    store(load() + 1);
    memory_is_seen();
    BENCH_CHECK(load() != 0, "the semaphore of the limit lost a unit");
    store(load() - 1);
  });
}

double atomic_units_ns(unsigned count) {
  return each_ns(count, [] {
    word.fetch_add(1, std::memory_order_acq_rel);
    memory_is_seen();
    BENCH_CHECK(word.fetch_sub(1, std::memory_order_acq_rel) != 0,
                "the semaphore of the limit lost a unit");
  });
}

void measure_mutex(solo& s, unsigned workers) {
  const running_workers all(s, {.workers = workers});
  const unsigned count = s.count(kPairs);
  ult::mutex m;
  s.measure([&m, count] { return mutex_ns(m, count); },
            [=] { return workers == 1 ? plain_lock_ns(count) : atomic_lock_ns(count); });
}

void measure_semaphore(solo& s, unsigned workers) {
  const running_workers all(s, {.workers = workers});
  const unsigned count = s.count(kPairs);
  ult::semaphore units(0);
  s.measure([&units, count] { return semaphore_ns(units, count); },
            [=] { return workers == 1 ? plain_units_ns(count) : atomic_units_ns(count); });
}

// --- Rings --------------------------------------------------------------------------------------

unsigned after(unsigned i, unsigned of) { return i + 1 == of ? 0 : i + 1; }
unsigned before(unsigned i, unsigned of) { return i == 0 ? of - 1 : i - 1; }

std::uint64_t hops = 0;

// Runs go_round(i) in thread i of ten, and begin() once all of them wait; ns a hop.
template <class F, class B>
double ring_ns(unsigned laps, const F& go_round, const B& begin) {
  hops = 0;
  const double begin_ns = now_ns();
  {
    std::vector<ult::thread<>> threads;
    for (unsigned i = 0; i < kThreads; ++i)
      threads.push_back(ult::spawn([&go_round, i] { go_round(i); }));
    ult::this_thread::yield();
    begin();
  }
  BENCH_CHECK(hops == std::uint64_t{laps} * kThreads, "a ring made too few hops");
  return (now_ns() - begin_ns) / double(hops);
}

// One mutex more than there are threads, each of which holds one. At its turn a thread is given the
// mutex of the one before, and lets go of its own, for which the next one waits; the one that it
// was given is its own from then on.
double mutex_ring_ns(unsigned laps) {
  constexpr unsigned kMutexes = kThreads + 1;
  ult::mutex mutexes[kMutexes];
  mutexes[kThreads].lock();
  const auto go_round = [&mutexes, laps](unsigned i) {
    unsigned own = i;
    mutexes[own].lock();
    for (unsigned lap = 0; lap < laps; ++lap) {
      const unsigned given = before(own, kMutexes);
      mutexes[given].lock();
      ++hops;
      mutexes[own].unlock();
      own = given;
    }
    mutexes[own].unlock();
  };
  return ring_ns(laps, go_round, [&mutexes] { mutexes[kThreads].unlock(); });
}

double condition_ring_ns(unsigned laps) {
  std::atomic<unsigned> turn{kThreads};
  const auto go_round = [&turn, laps](unsigned i) {
    const unsigned next = after(i, kThreads);
    for (unsigned lap = 0; lap < laps; ++lap) {
      ult::wait_until(ult::value(turn) == i);
      ++hops;
      turn.store(next, std::memory_order_release);
    }
  };
  return ring_ns(laps, go_round, [&turn] { turn.store(0, std::memory_order_release); });
}

// Contexts that hand the processor on in a circle; each finds that it is its turn.
struct {
  unsigned turn = 0;
  unsigned joined = 0;  // contexts, to number them
} bare;

void take_turns() {
  const unsigned i = ++bare.joined;
  for (;;) {
    BENCH_CHECK(bare.turn == i, "a context of the limit came out of turn");
    bare.turn = after(i, kThreads);
    bare_ring::pass();
  }
}

double bare_ring_ns(unsigned laps) {
  const double lap_ns = each_ns(laps, [] {
    BENCH_CHECK(bare.turn == 0, "a context of the limit came out of turn");
    bare.turn = 1;
    bare_ring::pass();
  });
  return lap_ns / kThreads;
}

void measure_ring(solo& s, double (*ours)(unsigned)) {
  const running_workers one(s, {.workers = 1});
  const unsigned laps = s.count(kLaps);
  s.note("threads", kThreads);
  bare_ring ring(kThreads, take_turns);
  s.measure([=] { return ours(laps); }, [laps] { return bare_ring_ns(laps); });
}

}  // namespace

void measure_ult_mutex(solo& s) { measure_mutex(s, 1); }
void measure_ult_mutex_2w(solo& s) { measure_mutex(s, 2); }
void measure_ult_semaphore(solo& s) { measure_semaphore(s, 1); }
void measure_ult_semaphore_2w(solo& s) { measure_semaphore(s, 2); }
void measure_ult_ring_mutex(solo& s) { measure_ring(s, mutex_ring_ns); }
void measure_ult_ring_condition(solo& s) { measure_ring(s, condition_ring_ns); }

}  // namespace bench
