// SPDX-License-Identifier: Apache-2.0
// Sums of 8 bytes from all ranks, at all ranks. No rank can know the sum sooner than it could leave
// a barrier, so the limits are those of the barrier, and a barrier of ours is taken in turn.
#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

double sums(worker& w, unsigned count) {
  const auto n = std::uint64_t(w.ranks()), mine = std::uint64_t(w.rank());
  const double begin_ns = now_ns();
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t value = mine + i;
    const ramjet::status s =
        ramjet::all_reduce(value, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    if (s != ramjet::status::ok || value != n * (n - 1) / 2 + n * i) [[unlikely]]
      BENCH_CHECK(false, "an all_reduce failed, or its sum is wrong");
  }
  return (now_ns() - begin_ns) / count;
}

double barriers(unsigned count) {
  const double begin_ns = now_ns();
  for (unsigned i = 0; i < count; ++i)
    if (ramjet::barrier() != ramjet::status::ok) [[unlikely]]
      BENCH_CHECK(false, "a barrier failed");
  return (now_ns() - begin_ns) / count;
}

}  // namespace

void measure_all_reduce(worker& w) {
  const unsigned count = w.count(w.ranks() == 2 ? 2000 : 200);
  w.beside("barrier_ns", [count] { return barriers(count); });
  const block ours = [&w, count] { return sums(w, count); };
  if (w.ranks() == 2) return w.measure(ours, w.raw_round_trip_as_limit());
  w.measure(ours, [&w, count] { return w.raw().counter_barrier_ns(count); });
}

}  // namespace bench
