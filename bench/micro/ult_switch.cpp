// SPDX-License-Identifier: Apache-2.0
// From one user-level thread to the next: the bare switch, and yields through the scheduler. Each
// switches at several places in the code, as programs do: a switch that is predicted by its place
// alone looks better than it is where there is only one.
#include <vector>

#include "micro/bare_threads.hpp"
#include "micro/bodies.hpp"
#include "micro/ult_bodies.hpp"

namespace bench {
namespace {

constexpr unsigned kTrips = 100'000;
constexpr unsigned kYields = 200'000;  // of all threads, in a block
constexpr unsigned kSites = 4;

// --- The switch ---------------------------------------------------------------------------------

// It has no public name: the row uses what a yield is made of.
struct {
  ult::detail::context here, there;
  bare_context bare_here;
  bare_context* bare_there;
  unsigned turns = 0;
} pair;

void answer_from_two_sites() {
  for (;;) {
    ++pair.turns;
    ult::detail::bare_switch(&pair.there, &pair.here);
    ++pair.turns;
    ult::detail::bare_switch(&pair.there, &pair.here);
  }
}

void answer_bare() {
  for (;;) {
    ++pair.turns;
    bare_jump(pair.bare_there, &pair.bare_here);
  }
}

double two_sites_ns(unsigned trips) {
  pair.turns = 0;
  const double trip_ns = each_ns(trips / 2, [] {
    ult::detail::bare_switch(&pair.here, &pair.there);
    memory_is_seen();
    ult::detail::bare_switch(&pair.here, &pair.there);
  });
  BENCH_CHECK(pair.turns == trips / 2 * 2, "a switch went astray");
  return trip_ns / 4;
}

double bare_switch_ns(unsigned trips) {
  pair.turns = 0;
  const double trip_ns = each_ns(trips, [] { bare_jump(&pair.bare_here, pair.bare_there); });
  BENCH_CHECK(pair.turns == trips, "a switch of the limit went astray");
  return trip_ns / 2;
}

// --- Yields -------------------------------------------------------------------------------------

struct {
  unsigned laps = 0;  // of kSites yields, over all threads but the first
  bool stop = false;
} crowd;

[[gnu::always_inline]] inline void yield_from_four_sites() {
  ult::this_thread::yield();
  ult::this_thread::yield();
  ult::this_thread::yield();
  ult::this_thread::yield();
}

void yield_on_and_on() {
  while (!crowd.stop) {
    yield_from_four_sites();
    ++crowd.laps;
  }
}

// All threads take part, this one among them; each of its yields lets each other one yield once.
double yield_ns(unsigned threads, unsigned laps) {
  crowd.laps = 0;
  const double lap_ns = each_ns(laps, yield_from_four_sites);
  BENCH_CHECK(crowd.laps == laps * (threads - 1), "threads did not take their turns");
  return lap_ns / (kSites * threads);
}

unsigned bare_turns = 0;

void pass_on_and_on() {
  for (;;) {
    ++bare_turns;
    bare_ring::pass();
  }
}

double bare_pass_ns(unsigned threads, unsigned rounds) {
  bare_turns = 0;
  const double round_ns = each_ns(rounds, bare_ring::pass);
  BENCH_CHECK(bare_turns == rounds * (threads - 1), "contexts did not take their turns");
  return round_ns / threads;
}

void measure_yields(solo& s, unsigned threads) {
  const running_workers one(s, {.workers = 1});
  const unsigned laps = std::max(2u, s.count(kYields) / (threads * kSites));
  s.note("threads", threads);
  std::vector<ult::thread<>> others;
  for (unsigned i = 1; i < threads; ++i) others.push_back(ult::spawn(yield_on_and_on));
  ult::this_thread::yield();
  bare_ring ring(threads, pass_on_and_on);
  s.measure([=] { return yield_ns(threads, laps); },
            [=] { return bare_pass_ns(threads, laps * kSites); });
  crowd.stop = true;
}

}  // namespace

void measure_ult_switch(solo& s) {
  const bare_stacks stacks(2);
  const bare_context* begin = bare_begin(stacks.top(0), answer_from_two_sites);
  pair.there.sp = begin->stack;
  pair.there.pc = begin->code;
  pair.bare_there = bare_begin(stacks.top(1), answer_bare);
  const unsigned trips = s.count(kTrips);
  s.measure([trips] { return two_sites_ns(trips); }, [trips] { return bare_switch_ns(trips); });
}

void measure_ult_yield_10(solo& s) { measure_yields(s, 10); }
void measure_ult_yield_1000(solo& s) { measure_yields(s, 1000); }
void measure_ult_yield_10000(solo& s) { measure_yields(s, 10'000); }

}  // namespace bench
