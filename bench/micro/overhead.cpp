// SPDX-License-Identifier: Apache-2.0
// The processor's share of a message (LogP's o): a burst is sent while the receiver looks at
// nothing, then received while the sender sends nothing. And what a poll costs that finds nothing.
#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

// Fits the ring of a pair of ranks, with the credit for the burst before not yet returned.
constexpr unsigned kBurst = 512;
constexpr unsigned kBursts = 32;

struct {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  std::uint64_t bursts = 0;  // so far
} seen;

void on_item(std::uint64_t value) {
  seen.sum += value;
  ++seen.count;
}

struct overheads {
  double send_ns;
  double receive_ns;
};

// One burst: rank 1 says that it polls no more, rank 0 sends and then signals, rank 1 drains.
overheads burst(worker& w) {
  w.meet();  // serves what is left, and brings credit back
  const std::uint64_t number = ++seen.bursts;
  line& signal = w.area().signal;
  line& unresponsive = w.area().unresponsive;
  if (w.rank() == 0) {
    spin_until([&] { return unresponsive.word.load(std::memory_order_acquire) == number; });
    const double begin_ns = now_ns();
    for (std::uint64_t i = 1; i <= kBurst; ++i) ramjet::request<on_item>(1, i);
    const double end_ns = now_ns();
    signal.word.store(number, std::memory_order_release);
    return {(end_ns - begin_ns) / kBurst, 0};
  }
  unresponsive.word.store(number, std::memory_order_release);
  spin_until([&] { return signal.word.load(std::memory_order_acquire) == number; });
  seen.count = seen.sum = 0;
  const double begin_ns = now_ns();
  while (seen.count < kBurst) ramjet::poll();
  const double end_ns = now_ns();
  BENCH_CHECK(seen.count == kBurst && seen.sum == std::uint64_t{kBurst} * (kBurst + 1) / 2,
              "messages of a burst came wrong");
  return {0, (end_ns - begin_ns) / kBurst};
}

overheads bursts(worker& w, unsigned count) {
  overheads sum{};
  for (unsigned i = 0; i < count; ++i) {
    const overheads o = burst(w);
    sum.send_ns += o.send_ns;
    sum.receive_ns += o.receive_ns;
  }
  return {sum.send_ns / count, sum.receive_ns / count};
}

// The other ranks wait meanwhile. One that waits long compares its call with rank 0's, by a
// message; polls that found such a message were not idle, and are made again.
double polls(worker& w, unsigned count) {
  constexpr unsigned kTries = 100;
  if (w.rank() != 0) return 0;
  for (unsigned i = 0; i < kTries; ++i) {
    unsigned handled = 0;
    const double begin_ns = now_ns();
    for (unsigned j = 0; j < count; ++j) handled += ramjet::poll();
    const double each_ns = (now_ns() - begin_ns) / count;
    if (handled == 0) return each_ns;
  }
  BENCH_CHECK(false, "polls find messages that nobody sends");
  return 0;
}

}  // namespace

void measure_send_overhead(worker& w) {
  const unsigned count = w.count(kBursts);
  w.note("burst", kBurst);
  w.measure([&w, count] { return bursts(w, count).send_ns; }, {});
}

void measure_receive_overhead(worker& w) {
  const unsigned count = w.count(kBursts);
  w.note("burst", kBurst);
  w.measure([&w, count] { return w.value_of(1, bursts(w, count).receive_ns); }, {});
}

void measure_idle_poll(worker& w) {
  const unsigned count = w.count(20'000);
  polls(w, 20'000);  // peers of whom nothing is heard drop out of the set that is looked at
  w.measure([&w, count] { return polls(w, count); }, {});
}

}  // namespace bench
