// SPDX-License-Identifier: Apache-2.0
// The rows about tasks for OpenMP, on two cores: built twice, with the run-time library of the
// compiler and with LLVM's. Arguments: --tiny (only shows that everything holds).
#include <omp.h>

#include <cstdint>
#include <numeric>

#include "thread_suite.hpp"

namespace {

using namespace peers;

constexpr int kWorkers = 2, kGroups = 100, kTasks = 1000;

struct alignas(64) tally {
  std::uint64_t count = 0;  // by its worker
} ran[kWorkers];

void run_leaf() { ++ran[omp_get_thread_num()].count; }

void run_group() {
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task
    run_leaf();
  }
#pragma omp taskwait
}

// Calls f once, where its tasks are for two threads; ns until all of them have ended.
template <class F>
double in_parallel_ns(F f) {
  const double begin_ns = now_ns();
#pragma omp parallel num_threads(kWorkers)
#pragma omp single
  f();
  return now_ns() - begin_ns;
}

double fan_ns(int rounds) {
  ran[0].count = ran[1].count = 0;
  const double spent_ns = in_parallel_ns([rounds] {
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < kGroups; ++i) {
#pragma omp task
        run_group();
      }
#pragma omp taskwait
    }
  });
  const int tasks = rounds * kGroups * kTasks;
  PEERS_CHECK(ran[0].count + ran[1].count == static_cast<std::uint64_t>(tasks));
  return spent_ns / tasks;
}

double flat_fan_ns() {
  constexpr int kFanTasks = 1000000;
  ran[0].count = ran[1].count = 0;
  const double spent_ns = in_parallel_ns([] {
    for (int i = 0; i < kFanTasks; ++i) {
#pragma omp task
      run_leaf();
    }
  });
  PEERS_CHECK(ran[0].count + ran[1].count == kFanTasks);
  return spent_ns / kFanTasks;
}

long fib(int n) {
  if (n < 2) return n;
  long one = 0;
#pragma omp task shared(one)
  one = fib(n - 1);
  const long other = fib(n - 2);
#pragma omp taskwait
  return one + other;
}

// Ways to set the other queens, by the columns and diagonals in use: a task for each that stands.
std::uint64_t queens(std::uint64_t all, std::uint64_t columns, std::uint64_t down,
                     std::uint64_t up) {
  if (columns == all) return 1;
  std::uint64_t ways[16];
  int tasks = 0;
  for (std::uint64_t free = all & ~(columns | down | up); free != 0; free &= free - 1) {
    const std::uint64_t here = free & -free;
    std::uint64_t& found = ways[tasks++];
#pragma omp task shared(found)
    found = queens(all, columns | here, (down | here) << 1, (up | here) >> 1);
  }
#pragma omp taskwait
  return std::accumulate(ways, ways + tasks, std::uint64_t{0});
}

double queens_ms(int n, std::uint64_t expected) {
  std::uint64_t result = 0;
  const std::uint64_t all = (std::uint64_t{1} << n) - 1;
  const double spent_ns = in_parallel_ns([&result, all] { result = queens(all, 0, 0, 0); });
  PEERS_CHECK(result == expected);
  return spent_ns / 1e6;
}

double fib_ms(int n, long expected) {
  long result = 0;
  const double spent_ns = in_parallel_ns([&result, n] { result = fib(n); });
  PEERS_CHECK(result == expected);
  return spent_ns / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  const plan run = plan::from_arguments(argc, argv);
  thread_records out(run);
  const bool tiny = run.repeats == 1;
  out.measure("ult_fan_2w", [=] { return fan_ns(tiny ? 1 : 10); });
  out.measure("ult_fan_1e6_2w", flat_fan_ns);
  out.measure(
      "ult_fib_tasks_2w", [=] { return tiny ? fib_ms(12, 144) : fib_ms(27, 196418); }, "ms");
  out.measure("tam_fib_2", [=] { return tiny ? fib_ms(12, 144) : fib_ms(27, 196418); }, "ms");
  out.measure("tam_queens_2", [=] { return tiny ? queens_ms(6, 4) : queens_ms(10, 724); }, "ms");
  out.print(PEERS_OPENMP, "OpenMP " + std::to_string(_OPENMP), "task, taskwait, two threads");
  return 0;
}
