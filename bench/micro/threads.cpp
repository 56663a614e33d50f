// SPDX-License-Identifier: Apache-2.0
// User-level threads in blocking calls to another rank: what overlaps, and what that costs beside
// bare requests and replies.
#include <algorithm>
#include <vector>

#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"

namespace bench {
namespace {

namespace ult = ramjet::ult;

constexpr unsigned kThreadsMost = 64;

std::uint64_t next_of(std::uint64_t x) { return x + 1; }

// Both ranks call at once: each issues `count` calls, spread over its threads.
double calls_ns(worker& w, unsigned threads, unsigned count) {
  const int peer = 1 - w.rank();
  const unsigned each = count / threads;
  std::uint64_t right = 0;
  w.meet();
  const double begin_ns = now_ns();
  std::vector<ult::thread<>> callers;
  for (unsigned t = 0; t < threads; ++t)
    callers.push_back(ult::spawn([&right, peer, each] {
      for (std::uint64_t i = 0; i < each; ++i)
        right += ramjet::call<next_of>(peer, i).get() == i + 1;
    }));
  for (const auto& c : callers) c.join();
  const double spent_ns = w.elapsed_ns(begin_ns, now_ns());
  BENCH_CHECK(right == std::uint64_t{each} * threads, "a call brought a wrong result");
  return spent_ns;
}

// The same traffic by hand: requests whose replies are only counted, as many under way.
struct {
  std::uint64_t replies = 0, sum = 0;
} seen;

void on_answer(ramjet::reply_token, std::uint64_t value) {
  ++seen.replies;
  seen.sum += value;
}
void on_question(ramjet::request_token t, std::uint64_t value) {
  ramjet::reply<on_answer>(std::move(t), value + 1);
}

double requests_ns(worker& w, unsigned window, unsigned count) {
  const int peer = 1 - w.rank();
  w.meet();
  const double begin_ns = now_ns();
  const std::uint64_t first = seen.replies;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t due = first + (i < window ? 0 : i + 1 - window);
    while (seen.replies < due) ramjet::poll();
    ramjet::request<on_question>(peer, i);
  }
  while (seen.replies < first + count) ramjet::poll();
  return w.elapsed_ns(begin_ns, now_ns());
}

}  // namespace

// Million calls a second, of both ranks together. The limit is taken first: once the scheduler has
// been started, every poll serves it, too.
void measure_call_overlap(worker& w) {
  const unsigned count = w.count(256'000) / kThreadsMost * kThreadsMost + kThreadsMost;
  const auto rate = [&](double spent_ns) {
    return spent_ns > 0 ? 2.0 * count / spent_ns * 1e3 : 0;
  };
  const auto bare = [&](unsigned window) {
    constexpr unsigned kBlocks = 9;
    std::vector<double> rates;
    for (unsigned i = 0; i < kBlocks; ++i) rates.push_back(rate(requests_ns(w, window, count)));
    std::nth_element(rates.begin(), rates.begin() + kBlocks / 2, rates.end());
    return rates[kBlocks / 2];
  };
  w.note("bare_16", bare(16));
  const double limit = bare(kThreadsMost);
  const auto with = [&w, rate, count](unsigned threads) {
    return [&w, rate, count, threads] { return rate(calls_ns(w, threads, count)); };
  };
  w.beside("threads_1", with(1));
  w.beside("threads_4", with(4));
  w.beside("threads_16", with(16));
  w.measure(with(kThreadsMost), [limit] { return limit; });
}

}  // namespace bench
