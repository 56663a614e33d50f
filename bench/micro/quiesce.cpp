// SPDX-License-Identifier: Apache-2.0
// A message from each rank to each other one, and the quiesce that tells when all were handled. No
// rank can know that sooner than it could leave a barrier, so the limit is the barrier's.
#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

std::uint64_t handled;
void on_message() { ++handled; }

double rounds(const worker& w, unsigned count) {
  const auto others = std::uint64_t(w.ranks() - 1);
  const double begin_ns = now_ns();
  for (unsigned i = 0; i < count; ++i) {
    handled = 0;
    // Nobody sends before all have set their counts back.
    BENCH_CHECK(ramjet::barrier() == ramjet::status::ok, "a barrier failed");
    for (int r = 0; r < w.ranks(); ++r)
      if (r != w.rank()) ramjet::request<on_message>(r);
    BENCH_CHECK(ramjet::quiesce() == ramjet::status::ok, "a quiesce failed");
    BENCH_CHECK(handled == others, "quiesce came before a message, or one came twice");
  }
  return (now_ns() - begin_ns) / count;
}

}  // namespace

void measure_quiesce(worker& w) {
  const unsigned count = w.count(10);
  compute(kTurnNs);
  w.measure([&w, count] { return rounds(w, count); },
            [&w, count] { return w.raw().counter_barrier_ns(count); });
}

}  // namespace bench
