// SPDX-License-Identifier: Apache-2.0
// Short messages between two ranks with a core each, on one machine or on two: there and back, one
// way, and many under way.
#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

// What this rank's handlers have seen since the start. A block's first messages may come while this
// rank still leaves the meeting before it, so what is waited for counts from the start too.
struct {
  std::uint64_t served = 0;  // requests
  std::uint64_t replies = 0;
  std::uint64_t sum = 0;  // of the values that came
} seen;
std::uint64_t served_due = 0, sum_due = 0;

void on_answer(ramjet::reply_token, std::uint64_t value) {
  seen.sum += value;
  ++seen.replies;
}

void on_question(ramjet::request_token t, std::uint64_t value) {
  ++seen.served;
  ramjet::reply<on_answer>(std::move(t), value + 1);
}

void on_value(std::uint64_t value) {
  seen.sum += value;
  ++seen.served;
}

// 1 + 2 + ... + n
constexpr std::uint64_t sum_to(std::uint64_t n) { return n * (n + 1) / 2; }

void serve(unsigned count) {
  served_due += count;
  ramjet::wait_until([] { return seen.served == served_due; }, "benchmark: requests");
}

void check_sum(unsigned count) {
  sum_due += sum_to(count);
  BENCH_CHECK(seen.sum == sum_due, "short messages came wrong");
}

double round_trips(worker& w, unsigned count) {
  if (w.rank() != 0) {
    serve(count);
    return 0;
  }
  const double begin_ns = now_ns();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t until = seen.replies + 1;
    ramjet::request<on_question>(1, i);
    ramjet::wait_until([until] { return seen.replies == until; }, "benchmark: a reply");
  }
  const double each_ns = (now_ns() - begin_ns) / count;
  check_sum(count);
  return each_ns;
}

double one_way_rate(worker& w, unsigned count) {
  const double begin_ns = now_ns();
  if (w.rank() == 0) {
    for (std::uint64_t i = 1; i <= count; ++i) ramjet::request<on_value>(1, i);
  } else {
    serve(count);
    check_sum(count);
  }
  return count / w.elapsed_ns(begin_ns, now_ns()) * 1e3;
}

double both_ways_rate(worker& w, unsigned count) {
  const double begin_ns = now_ns();
  for (std::uint64_t i = 1; i <= count; ++i) ramjet::request<on_value>(1 - w.rank(), i);
  serve(count);
  check_sum(count);
  return count / w.elapsed_ns(begin_ns, now_ns()) * 1e3;
}

double raw_rate(worker& w, unsigned count) {
  const double begin_ns = now_ns();
  w.raw().stream(count);
  return count / w.elapsed_ns(begin_ns, now_ns()) * 1e3;
}

double window_rate(worker& w, unsigned count) {
  constexpr std::uint64_t kWindow = 64;
  if (w.rank() != 0) {
    serve(count);
    return 0;
  }
  const std::uint64_t before = seen.replies;
  const double begin_ns = now_ns();
  for (std::uint64_t i = 0; i < count; ++i) {
    ramjet::wait_until([i, before] { return i - (seen.replies - before) < kWindow; },
                       "benchmark: the window");
    ramjet::request<on_question>(1, i);
  }
  ramjet::wait_until([&] { return seen.replies - before == count; }, "benchmark: last replies");
  const double rate = count / (now_ns() - begin_ns) * 1e3;
  check_sum(count);
  return rate;
}

}  // namespace

void measure_round_trip(worker& w) {
  const unsigned count = w.count(2000);
  w.measure([&] { return round_trips(w, count); }, w.raw_round_trip_as_limit());
}

void measure_rate(worker& w) {
  const unsigned count = w.count(100'000);
  w.measure([&] { return one_way_rate(w, count); }, [&] { return raw_rate(w, count); });
}

void measure_both_ways(worker& w) {
  const unsigned count = w.count(100'000);
  w.measure([&] { return both_ways_rate(w, count); }, {});
}

void measure_net_round_trip(worker& w) {
  constexpr std::size_t kBytes = 24;  // of a frame with one short message
  const unsigned count = w.count(2000);
  w.measure([&] { return round_trips(w, count); },
            [&] { return w.tcp().round_trip_ns(count, kBytes); });
}

void measure_net_rate(worker& w) {
  const unsigned count = w.count(400'000);
  w.beside("raw_send_each", [&] {
    const unsigned few = count / 10;
    const double begin_ns = now_ns();
    w.tcp().messages(few);
    return few / w.elapsed_ns(begin_ns, now_ns()) * 1e3;
  });
  w.measure([&] { return one_way_rate(w, count); }, {});
}

void measure_window(worker& w) {
  const unsigned count = w.count(20'000);
  w.measure([&] { return window_rate(w, count); }, {});
}

}  // namespace bench
