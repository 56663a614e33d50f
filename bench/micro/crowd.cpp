// SPDX-License-Identifier: Apache-2.0
// Short messages among many ranks with a core each: everyone to everyone, everyone to one, and in
// pairs. All report messages handled a second, over all ranks.
#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

// Since the start; so is what is waited for, as a block's first messages may come while this rank
// still leaves the meeting before it.
struct tally {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
};
tally seen, due;

void on_value(std::uint64_t value) {
  seen.sum += value;
  ++seen.count;
}

// Ends this rank's part of a block: handles what the others send, `senders` times `count` messages.
void finish(std::uint64_t senders, std::uint64_t count) {
  due.count += senders * count;
  due.sum += senders * (count * (count + 1) / 2);
  ramjet::wait_until([] { return seen.count == due.count; }, "benchmark: the others' messages");
  BENCH_CHECK(seen.sum == due.sum, "messages came wrong");
}

double rate(worker& w, double begin_ns, double messages) {
  return messages / w.elapsed_ns(begin_ns, now_ns()) * 1e3;
}

double all_to_all(worker& w, unsigned count) {
  const int n = w.ranks(), me = w.rank();
  const double begin_ns = now_ns();
  for (std::uint64_t i = 1; i <= count; ++i)
    for (int step = 1; step < n; ++step)
      ramjet::request<on_value>(me + step < n ? me + step : me + step - n, i);
  finish(std::uint64_t(n - 1), count);
  return rate(w, begin_ns, double(n) * (n - 1) * count);
}

double incast(worker& w, unsigned count) {
  const double begin_ns = now_ns();
  if (w.rank() != 0) {
    for (std::uint64_t i = 1; i <= count; ++i) ramjet::request<on_value>(0, i);
  } else {
    finish(std::uint64_t(w.ranks() - 1), count);
  }
  return rate(w, begin_ns, double(w.ranks() - 1) * count);
}

// Rank 2i to rank 2i + 1; the last one of an odd number has nobody.
double pairs(worker& w, unsigned count) {
  const double begin_ns = now_ns();
  if (w.rank() % 2 == 1) {
    finish(1, count);
  } else if (w.rank() + 1 < w.ranks()) {
    for (std::uint64_t i = 1; i <= count; ++i) ramjet::request<on_value>(w.rank() + 1, i);
  }
  const int senders = w.ranks() / 2;
  return rate(w, begin_ns, double(senders) * count);
}

}  // namespace

void measure_all_to_all(worker& w) {
  const unsigned count = w.count(50'000 / unsigned(w.ranks() - 1));
  w.measure([&w, count] { return all_to_all(w, count); }, {});
}

void measure_incast(worker& w) {
  const unsigned count = w.count(100'000 / unsigned(w.ranks() - 1));
  w.measure([&w, count] { return incast(w, count); }, {});
}

void measure_pairs(worker& w) {
  const unsigned count = w.count(100'000);
  w.measure([&w, count] { return pairs(w, count); }, {});
}

}  // namespace bench
