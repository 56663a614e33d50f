// SPDX-License-Identifier: Apache-2.0
// Barriers of all ranks. With a core each the limit is a raw round trip: nobody can know of the
// other's arrival sooner than half of that. With more ranks than cores it is a bare shared counter
// whose waiting ranks yield, between the same processes.
#include <atomic>

#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

bool whole() { return ramjet::barrier() == ramjet::status::ok; }
bool in_halves() {
  return ramjet::barrier_notify() == ramjet::status::ok &&
         ramjet::barrier_wait() == ramjet::status::ok;
}

// Nobody may leave a barrier before all have entered it: each rank counts its entries in its stamp
// line, and sees at least as many in the others'.
template <class Barrier>
void check_barrier(worker& w, Barrier&& barrier) {
  auto& entries = w.area().stamps[w.rank()].value;
  for (int round = 1; round <= 3; ++round) {
    std::atomic_ref(entries).store(round, std::memory_order_relaxed);
    BENCH_CHECK(barrier(), "a barrier failed");
    for (int r = 0; r < w.ranks(); ++r) {
      std::atomic_ref theirs(w.area().stamps[r].value);
      BENCH_CHECK(theirs.load(std::memory_order_relaxed) >= round,
                  "a barrier let a rank out before another had come");
    }
  }
}

template <class Barrier>
double barriers(unsigned count, Barrier&& barrier) {
  const double begin_ns = now_ns();
  for (unsigned i = 0; i < count; ++i) {
    if (!barrier()) [[unlikely]]
      BENCH_CHECK(false, "a barrier failed");
  }
  return (now_ns() - begin_ns) / count;
}

}  // namespace

void measure_barrier(worker& w) {
  check_barrier(w, whole);
  compute(kTurnNs);
  if (w.ranks() == 2) {
    const unsigned count = w.count(2000);
    w.measure([count] { return barriers(count, whole); }, w.raw_round_trip_as_limit());
    return;
  }
  const unsigned count = w.count(w.ranks() <= 8 ? 200 : 40);
  w.measure([count] { return barriers(count, whole); },
            [&w, count] { return w.raw().counter_barrier_ns(count); });
}

// Programs that use all cores: where a core is taken from one rank for a moment, all others wait,
// and what they do then may hold up the next barriers, too.
void measure_barrier_after_work(worker& w) {
  constexpr double kWorkNs = 100e3;
  check_barrier(w, whole);
  const unsigned count = w.count(100);
  const auto worked = [](auto&& barrier) {
    compute(kWorkNs);
    return barrier();
  };
  w.measure([&] { return barriers(count, [&] { return worked(whole); }) - kWorkNs; },
            [&] {
              const auto bare = [&w] { return w.raw().counter_barrier_ns(1) > 0; };
              return barriers(count, [&] { return worked(bare); }) - kWorkNs;
            });
}

void measure_split_barrier(worker& w) {
  check_barrier(w, in_halves);
  const unsigned count = w.count(2000);
  w.measure([count] { return barriers(count, in_halves); }, w.raw_round_trip_as_limit());
}

}  // namespace bench
