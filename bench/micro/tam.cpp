// SPDX-License-Identifier: Apache-2.0
// The threaded abstract machine: calls, threads, fetches of I-structures, and two programs beside
// the serial C. Its code blocks are in tam_blocks.c.
#include <functional>
#include <vector>

#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "micro/tam_blocks.h"
#include "micro/ult_bodies.hpp"
#include "ramjet/collectives.hpp"

namespace bench {
namespace {

class open_machine {
 public:
  open_machine() { tam_open(tam_bench_blocks, tam_bench_block_count); }
  ~open_machine() { tam_close(); }
  open_machine(const open_machine&) = delete;
  open_machine& operator=(const open_machine&) = delete;
};

// ns until all that start() has made has run; the result is checked.
template <class F>
double run_ns(std::uint64_t expected, const F& start) {
  const double begin_ns = now_ns();
  start();
  const std::size_t frames = tam_run();
  const double ns = now_ns() - begin_ns;
  BENCH_CHECK(frames == 0 && tam_has_result() && tam_result(0) == expected,
              "a program of TAM has another result");
  return ns;
}

std::uint64_t serial_fib(std::uint64_t n) {
  return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2);
}
std::uint64_t serial_queens(std::uint64_t all, std::uint64_t columns, std::uint64_t down,
                            std::uint64_t up) {
  if (columns == all) return 1;
  std::uint64_t ways = 0;
  for (std::uint64_t free = all & ~(columns | down | up); free != 0; free &= free - 1) {
    const std::uint64_t here = free & -free;
    ways += serial_queens(all, columns | here, (down | here) << 1, (up | here) >> 1);
  }
  return ways;
}

// An array here whose elements have been touched, and are empty.
tam_array empty_array(tam_word count) {
  const tam_array a = tam_ialloc(count, TAM_HERE);
  for (tam_word i = 0; i < count; ++i) {
    tam_word taken;
    tam_mput(nullptr, a, i, 1, TAM_HERE);
    BENCH_CHECK(tam_mpresent(a, i, &taken), "an element that was put is not there");
  }
  return a;
}
void store_all(tam_array a, tam_word count) {
  for (tam_word i = 0; i < count; ++i) tam_istore(nullptr, a, i, i, TAM_HERE);
}

double deferred_ns(unsigned count) {
  const open_machine machine;
  const tam_array first = tam_ialloc(1, TAM_HERE);
  store_all(first, 1);
  run_ns(0, [first] { tam_bench_sum(first, 1); });  // touches the memory of frames
  const tam_array a = empty_array(count);
  const std::uint64_t expected = std::uint64_t{count} * (count - 1) / 2;
  const double begin_ns = now_ns();
  tam_bench_sum(a, count);
  BENCH_CHECK(tam_run() == 1, "a fetch of an empty element was not deferred");
  store_all(a, count);
  tam_run();
  const double ns = now_ns() - begin_ns;
  BENCH_CHECK(tam_has_result() && tam_result(0) == expected, "a deferred fetch got another word");
  return ns / count;
}

// The same words through memory: stored in one pass, loaded in the next.
double deferred_limit_ns(unsigned count) {
  std::vector<std::uint64_t> values(count, 1);
  std::uint64_t sum = 0;
  const double begin_ns = now_ns();
  for (unsigned i = 0; i < count; ++i) {
    values[i] = i;
    memory_is_seen();
  }
  for (const std::uint64_t v : values) {
    sum += v;
    memory_is_seen();
  }
  const double ns = (now_ns() - begin_ns) / count;
  BENCH_CHECK(sum == std::uint64_t{count} * (count - 1) / 2, "a plain sum is wrong");
  return ns;
}

std::uint64_t plus_one(std::uint64_t value) { return value + 1; }
std::uint64_t (*volatile called)(std::uint64_t) = plus_one;

// A call by a pointer.
double call_ns(unsigned count) {
  std::uint64_t value = 0;
  const double ns = each_ns(count, [&value] { value = called(value); });
  BENCH_CHECK(value == count, "a plain call has another result");
  return ns;
}

double present_limit_ns(unsigned count) {
  std::vector<std::uint64_t> values(count, 1);
  std::uint64_t sum = 0;
  const double begin_ns = now_ns();
  for (const std::uint64_t& v : values) {
    sum += v;
    memory_is_seen();
  }
  const double ns = (now_ns() - begin_ns) / count;
  BENCH_CHECK(sum == count, "a plain sum is wrong");
  return ns;
}

}  // namespace

void measure_tam_activation(solo& s) {
  const open_machine machine;
  const unsigned count = s.count(100'000);
  s.measure([count] { return run_ns(count, [count] { tam_bench_calls(count); }) / count; },
            [count] { return call_ns(count); });
}

void measure_tam_thread(solo& s) {
  const open_machine machine;
  const unsigned count = s.count(1'000'000);
  s.measure([count] { return run_ns(count, [count] { tam_bench_threads(count); }) / count; },
            [count] { return call_ns(count); });
}

void measure_tam_ifetch_present(solo& s) {
  const open_machine machine;
  const unsigned count = s.count(4000), rounds = s.count(100);
  const tam_array a = tam_ialloc(count, TAM_HERE);
  store_all(a, count);
  const std::uint64_t expected = std::uint64_t{count} * (count - 1) / 2;
  s.measure(
      [=] {
        double ns = 0;
        for (unsigned i = 0; i < rounds; ++i)
          ns += run_ns(expected, [=] { tam_bench_sum(a, count); });
        return ns / count / rounds;
      },
      [count] { return present_limit_ns(count); });
}

void measure_tam_ifetch_deferred(solo& s) {
  const unsigned count = s.count(4000);
  s.measure([count] { return deferred_ns(count); }, [count] { return deferred_limit_ns(count); });
}

namespace {

void measure_remote(worker& w, unsigned at_once) {
  const open_machine machine;
  const unsigned count = w.count(3200) / at_once * at_once + at_once;
  tam_array a = w.rank() == 1 ? tam_ialloc(count, TAM_HERE) : 0;
  if (w.rank() == 1) store_all(a, count);
  BENCH_CHECK(ramjet::broadcast(a, 1) == ramjet::status::ok, "a rank died");
  w.measure(
      [&w, a, count, at_once] {
        const double begin_ns = now_ns();
        if (w.rank() == 0) tam_bench_fetches(a, count, at_once);
        const std::size_t frames = tam_run();
        const std::uint64_t expected = std::uint64_t{count} * (count - 1) / 2;
        BENCH_CHECK(frames == 0 && (w.rank() != 0 || tam_result(0) == expected),
                    "remote fetches have another sum");
        return (now_ns() - begin_ns) / count;
      },
      {});
}

}  // namespace

void measure_tam_ifetch_remote(worker& w) { measure_remote(w, 1); }
void measure_tam_ifetch_remote_16(worker& w) { measure_remote(w, 16); }

namespace {

// A program whose calls may be on any rank, and the same in plain C++.
struct tree {
  std::uint64_t expected;
  std::function<void()> start;
  std::function<std::uint64_t()> serial;
};

tree fib_tree(bool full) {
  const std::uint64_t n = full ? 27 : 12;
  return {serial_fib(n), [n] { tam_bench_fib(n); },
          [n] {
            volatile std::uint64_t seen = n;  // so that it is not computed ahead
            return serial_fib(seen);
          }};
}
tree queens_tree(bool full) {
  const unsigned n = full ? 10 : 6;
  const std::uint64_t all = (std::uint64_t{1} << n) - 1;
  tam_bench_board(n);
  return {serial_queens(all, 0, 0, 0), [] { tam_bench_queens(); },
          [all] {
            volatile std::uint64_t seen = all;
            return serial_queens(seen, 0, 0, 0);
          }};
}

double serial_ms(const tree& t) {
  const double begin_ns = now_ns();
  BENCH_CHECK(t.serial() == t.expected, "the serial program has another result");
  return (now_ns() - begin_ns) / 1e6;
}
void measure_alone(solo& s, tree (*make)(bool)) {
  const open_machine machine;
  const tree t = make(s.count(1000) == 1000);
  s.measure([&t] { return run_ns(t.expected, t.start) / 1e6; }, [&t] { return serial_ms(t); });
}
void measure_shared(worker& w, tree (*make)(bool)) {
  const open_machine machine;
  const tree t = make(w.count(1000) == 1000);
  w.measure(
      [&] {
        const double begin_ns = now_ns();
        if (w.rank() == 0) t.start();
        const std::size_t frames = tam_run();
        BENCH_CHECK(frames == 0 && (w.rank() != 0 || tam_result(0) == t.expected),
                    "a program on two ranks has another result");
        return (now_ns() - begin_ns) / 1e6;
      },
      [&] { return w.rank() == 0 ? serial_ms(t) : 0; });
}

}  // namespace

void measure_tam_fib(solo& s) { measure_alone(s, fib_tree); }
void measure_tam_queens(solo& s) { measure_alone(s, queens_tree); }
void measure_tam_fib_2(worker& w) { measure_shared(w, fib_tree); }
void measure_tam_queens_2(worker& w) { measure_shared(w, queens_tree); }

}  // namespace bench
