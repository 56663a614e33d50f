// SPDX-License-Identifier: Apache-2.0
// Co-processors: how soon a busy rank answers, what memory primitives cost by handlers of either
// kind and without any, and what an idle co-processor costs. (Schauser et al. 1996, Exploiting the
// Capabilities of Communications Co-processors, section 5.)
//
// Of each primitive there are three: by a handler that the target's main program runs when it
// polls, which it does all the time; by the same handler on the target's co-processor; and as
// global pointers do it: through the mapping on a node, past the handlers between machines.
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

using word = std::uint64_t;

constexpr double kSliceNs = 1e6;    // that the owner computes between polls
constexpr std::size_t kBulkBytes = 32;
constexpr unsigned kReplyAt = 64;   // where rank 0's words begin, in words

enum class at { main, coproc };

word load(const word* from) {
  return std::atomic_ref(*const_cast<word*>(from)).load(std::memory_order_acquire);
}
void set(word* to, word value) { std::atomic_ref(*to).store(value, std::memory_order_release); }

word answered = 0;
void on_answer(ramjet::reply_token, word value) { answered = value; }

template <at>
void on_get(ramjet::request_token t, ramjet::segment_ptr<const word> from) {
  ramjet::reply<on_answer>(std::move(t), load(from));
}
template <at>
void on_put(ramjet::request_token t, ramjet::segment_ptr<word> to, word value) {
  set(to, value);
  ramjet::reply<on_answer>(std::move(t), value);
}
template <at>
void on_bulk_put(ramjet::request_token t, ramjet::segment_ptr<word> to, ramjet::payload data) {
  const auto words = data.as<word>();
  BENCH_CHECK(words.size() == kBulkBytes / sizeof(word), "a payload has another length");
  std::memcpy(to, words.data(), kBulkBytes);
  ramjet::reply<on_answer>(std::move(t), words.back());
}
template <at>
void on_store(ramjet::segment_ptr<word> to, word value) {
  set(to, value);
}
// The last word is what the other side looks at.
template <at>
void on_bulk_store(ramjet::segment_ptr<word> to, ramjet::payload data) {
  const auto words = data.as<word>();
  BENCH_CHECK(words.size() == kBulkBytes / sizeof(word), "a payload has another length");
  std::memcpy(to, words.data(), kBulkBytes - sizeof(word));
  set(to + words.size() - 1, words.back());
}

}  // namespace
}  // namespace bench

template <>
inline constexpr bool ramjet::coproc_safe<&bench::on_get<bench::at::coproc>> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&bench::on_put<bench::at::coproc>> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&bench::on_bulk_put<bench::at::coproc>> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&bench::on_store<bench::at::coproc>> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&bench::on_bulk_store<bench::at::coproc>> = true;

namespace bench {
namespace {

word* words_at_rank_1(worker& w) {
  return reinterpret_cast<word*>(w.memory_at_rank_1(2 * kReplyAt * sizeof(word)));
}

// Runs body() at rank 0 until it is done; serve() again and again at rank 1 meanwhile. Returns
// what body() returns, at rank 0.
template <class Body, class Serve>
double while_served(worker& w, Body&& body, Serve&& serve) {
  static word number = 0;
  w.meet();
  ++number;
  double result = 0;
  if (w.rank() == 0) {
    result = body();
    w.area().signal.word.store(number, std::memory_order_release);
  } else {
    while (w.area().signal.word.load(std::memory_order_acquire) != number) serve();
  }
  w.meet();
  return result;
}

template <class Wait>
double waited_ns(Wait&& wait) {
  const double begin_ns = now_ns();
  wait();
  return now_ns() - begin_ns;
}

template <at Where>
void get_once(const word* from, word expected) {
  answered = ~expected;
  ramjet::request<on_get<Where>>(1, from);
  while (answered != expected) ramjet::poll();
}

// The mean wait of a read, between reads some time goes by.
template <at Where>
double read_wait_ns(worker& w, const word* memory, unsigned reads) {
  return while_served(
      w,
      [&] {
        double sum_ns = 0;
        for (unsigned i = 0; i < reads; ++i) {
          compute(kSliceNs * double(i * 7 % 10) / 20);
          sum_ns += waited_ns([&] { get_once<Where>(memory, 0); });
        }
        return sum_ns / reads;
      },
      [] {
        compute(kSliceNs);
        ramjet::poll();
      });
}

// The mean time of round(i) at rank 0.
template <class Round, class Serve>
double rounds_ns(worker& w, unsigned count, Round&& round, Serve&& serve) {
  return while_served(
      w,
      [&] {
        const double begin_ns = now_ns();
        for (unsigned i = 1; i <= count; ++i) round(word(i));
        return (now_ns() - begin_ns) / count;
      },
      serve);
}

void poll_once() { ramjet::poll(); }
void stay_away() { ::usleep(200); }

// Half of the way there and back: send(to, value) puts the value where the other looks.
template <class Send, class Look>
double there_and_back_ns(worker& w, word* memory, std::size_t words, unsigned count, Send&& send,
                         Look&& look) {
  word* const there = memory + words - 1;
  word* const back = memory + kReplyAt + words - 1;
  if (w.rank() == 1) set(there, 0), set(back, 0);
  word last = 0;
  const auto round = [&](word i) {
    send(1, memory, i);
    while (load(back) != i) look();
  };
  const auto serve = [&] {
    look();
    const word seen = load(there);
    if (seen == last) return;
    last = seen;
    send(0, memory + kReplyAt, seen);
  };
  return rounds_ns(w, count, round, serve) / 2;
}

template <at Where>
void store_by_message(int to, word* at, word value) {
  ramjet::request<on_store<Where>>(to, at, value);
}
template <at Where>
void bulk_by_message(int to, word* at, word value) {
  word data[kBulkBytes / sizeof(word)] = {value, value, value, value};
  ramjet::request_medium<on_bulk_store<Where>>(to, data, sizeof data, at);
}
void store_by_mapping(int, word* at, word value) { set(at, value); }
void bulk_by_mapping(int, word* at, word value) {
  constexpr std::size_t kWords = kBulkBytes / sizeof(word);
  for (std::size_t i = 0; i + 1 < kWords; ++i) at[i] = value;
  set(at + kWords - 1, value);
}
void no_poll() {}

void measure_there_and_back(worker& w, std::size_t words, void (*by_main)(int, word*, word),
                            void (*by_coproc)(int, word*, word),
                            void (*by_mapping)(int, word*, word)) {
  word* const memory = words_at_rank_1(w);
  const unsigned count = w.count(2000);
  const auto way = [&w, memory, words, count](void (*send)(int, word*, word), void (*look)()) {
    return [=, &w] { return there_and_back_ns(w, memory, words, count, send, look); };
  };
  w.beside("main_ns", way(by_main, poll_once));
  w.beside("optimised_ns", way(by_mapping, no_poll));
  w.measure(way(by_coproc, no_poll), {});
}

// Between machines: the mean time of round(i) at rank 0, while rank 1 answers.
template <class Round>
double asked_ns(worker& w, unsigned count, Round&& round) {
  double result = 0;
  if (w.rank() == 0) {
    const double begin_ns = now_ns();
    for (unsigned i = 1; i <= count; ++i) round(word(i));
    result = (now_ns() - begin_ns) / count;
  }
  w.meet();
  return result;
}

template <class ByMain, class ByCoproc, class ByPointer>
void measure_asked(worker& w, ByMain by_main, ByCoproc by_coproc, ByPointer by_pointer) {
  const unsigned count = w.count(500);
  w.beside("main_ns", [&w, count, by_main] { return asked_ns(w, count, by_main); });
  w.beside("optimised_ns", [&w, count, by_pointer] { return asked_ns(w, count, by_pointer); });
  w.measure([&w, count, by_coproc] { return asked_ns(w, count, by_coproc); }, {});
}

template <at Where>
void put_and_wait(word* to, word value) {
  ramjet::request<on_put<Where>>(1, to, value);
  while (answered != value) ramjet::poll();
}
template <at Where>
void bulk_put_and_wait(word* to, word value) {
  const word data[kBulkBytes / sizeof(word)] = {value, value, value, value};
  ramjet::request_medium<on_bulk_put<Where>>(1, data, sizeof data, to);
  while (answered != value) ramjet::poll();
}

double process_cpu_s() {
  timespec t;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
}

}  // namespace

void measure_coproc_read_wait(worker& w) {
  const word* const memory = words_at_rank_1(w);
  const unsigned reads = w.count(20);
  const auto by_main = [&w, memory, reads] { return read_wait_ns<at::main>(w, memory, reads); };
  const auto by_coproc = [&w, memory, reads] { return read_wait_ns<at::coproc>(w, memory, reads); };
  w.beside("main_ns", by_main);
  w.beside("coproc_ns", by_coproc);
  w.measure(
      [=] {
        const double main_ns = by_main(), coproc_ns = by_coproc();
        return coproc_ns > 0 ? main_ns / coproc_ns : 0;
      },
      {});
}

void measure_coproc_get(worker& w) {
  word* const memory = words_at_rank_1(w);
  const unsigned count = w.count(2000);
  const ramjet::global_ptr<word> far(1, memory);
  w.beside("main_ns", [&w, memory, count] {
    return rounds_ns(w, count, [&](word) { get_once<at::main>(memory, 0); }, poll_once);
  });
  w.beside("optimised_ns", [&w, far, count] {
    return rounds_ns(
        w, count, [&](word) { BENCH_CHECK(ramjet::read(far) == 0, "a read gave something else"); },
        stay_away);
  });
  w.measure(
      [&w, memory, count] {
        return rounds_ns(w, count, [&](word) { get_once<at::coproc>(memory, 0); }, stay_away);
      },
      {});
}

void measure_coproc_put(worker& w) {
  word* const memory = words_at_rank_1(w);
  const unsigned count = w.count(2000);
  const ramjet::global_ptr<word> far(1, memory);
  const auto checked = [memory](double ns, word last) {
    BENCH_CHECK(load(memory) == last, "a put has not arrived");
    return ns;
  };
  const auto by_main = [memory](word i) { put_and_wait<at::main>(memory, i); };
  const auto by_coproc = [memory](word i) { put_and_wait<at::coproc>(memory, i); };
  const auto by_mapping = [far](word i) {
    ramjet::put(far, i);
    ramjet::sync_all();
  };
  w.beside("main_ns", [=, &w] { return checked(rounds_ns(w, count, by_main, poll_once), count); });
  w.beside("optimised_ns",
           [=, &w] { return checked(rounds_ns(w, count, by_mapping, stay_away), count); });
  w.measure([=, &w] { return checked(rounds_ns(w, count, by_coproc, stay_away), count); }, {});
}

void measure_coproc_store(worker& w) {
  measure_there_and_back(w, 1, store_by_message<at::main>, store_by_message<at::coproc>,
                         store_by_mapping);
}
void measure_coproc_bulk_store(worker& w) {
  w.note("bytes", kBulkBytes);
  measure_there_and_back(w, kBulkBytes / sizeof(word), bulk_by_message<at::main>,
                         bulk_by_message<at::coproc>, bulk_by_mapping);
}

void measure_net_coproc_get(worker& w) {
  word* const memory = words_at_rank_1(w);
  const ramjet::global_ptr<word> far(1, memory);
  measure_asked(
      w, [memory](word) { get_once<at::main>(memory, 0); },
      [memory](word) { get_once<at::coproc>(memory, 0); },
      [far](word) { BENCH_CHECK(ramjet::read(far) == 0, "a read gave something else"); });
}

void measure_net_coproc_put(worker& w) {
  word* const memory = words_at_rank_1(w);
  const ramjet::global_ptr<word> far(1, memory);
  measure_asked(
      w, [memory](word i) { put_and_wait<at::main>(memory, i); },
      [memory](word i) { put_and_wait<at::coproc>(memory, i); },
      [far](word i) {
        ramjet::put(far, i);
        ramjet::sync_all();
      });
}

void measure_net_coproc_bulk_put(worker& w) {
  word* const memory = words_at_rank_1(w);
  const ramjet::global_ptr<word> far(1, memory);
  w.note("bytes", kBulkBytes);
  measure_asked(
      w, [memory](word i) { bulk_put_and_wait<at::main>(memory, i); },
      [memory](word i) { bulk_put_and_wait<at::coproc>(memory, i); },
      [far](word i) {
        const word data[kBulkBytes / sizeof(word)] = {i, i, i, i};
        ramjet::bulk_put(far, data, sizeof data);
        ramjet::sync_all();
      });
}

void measure_coproc_idle(worker& w) {
  constexpr double kOfSeconds = 10;
  const unsigned asleep_ms = w.count(2000);
  w.note("of_seconds", kOfSeconds);
  w.measure(
      [asleep_ms] {
        const double cpu_s = process_cpu_s(), begin_ns = now_ns();
        ::usleep(asleep_ms * 1000);
        return (process_cpu_s() - cpu_s) / ((now_ns() - begin_ns) / 1e9) * kOfSeconds;
      },
      {});
}

}  // namespace bench
