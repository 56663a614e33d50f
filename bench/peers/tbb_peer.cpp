// SPDX-License-Identifier: Apache-2.0
// The row about tasks for oneTBB, on two cores. Arguments: --tiny (only shows that everything
// holds).
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/version.h>

#include <cstdint>
#include <numeric>

#include "thread_suite.hpp"

namespace {

using namespace peers;

constexpr int kWorkers = 2, kGroups = 100, kTasks = 1000;

struct alignas(64) tally {
  std::uint64_t count = 0;  // by its worker
} ran[kWorkers];

void run_group() {
  tbb::task_group leaves;
  for (int i = 0; i < kTasks; ++i)
    leaves.run([] { ++ran[tbb::this_task_arena::current_thread_index()].count; });
  leaves.wait();
}

double fan_ns(int rounds) {
  ran[0].count = ran[1].count = 0;
  const double round_ns = each_ns(rounds, [] {
    tbb::task_group groups;
    for (int i = 0; i < kGroups; ++i) groups.run(run_group);
    groups.wait();
  });
  PEERS_CHECK(ran[0].count + ran[1].count == static_cast<std::uint64_t>(rounds) * kGroups * kTasks);
  return round_ns / (kGroups * kTasks);
}

double flat_fan_ns() {
  constexpr int kFanTasks = 1000000;
  ran[0].count = ran[1].count = 0;
  const double begin_ns = now_ns();
  tbb::task_group g;
  for (int i = 0; i < kFanTasks; ++i)
    g.run([] { ++ran[tbb::this_task_arena::current_thread_index()].count; });
  g.wait();
  const double spent_ns = now_ns() - begin_ns;
  PEERS_CHECK(ran[0].count + ran[1].count == kFanTasks);
  return spent_ns / kFanTasks;
}

long fib(int n) {
  if (n < 2) return n;
  long one = 0;
  tbb::task_group g;
  g.run([&one, n] { one = fib(n - 1); });
  const long other = fib(n - 2);
  g.wait();
  return one + other;
}

// Ways to set the other queens, by the columns and diagonals in use: a task for each that stands.
std::uint64_t queens(std::uint64_t all, std::uint64_t columns, std::uint64_t down,
                     std::uint64_t up) {
  if (columns == all) return 1;
  std::uint64_t ways[16];
  int tasks = 0;
  tbb::task_group g;
  for (std::uint64_t free = all & ~(columns | down | up); free != 0; free &= free - 1) {
    const std::uint64_t here = free & -free;
    g.run([=, found = &ways[tasks++]] {
      *found = queens(all, columns | here, (down | here) << 1, (up | here) >> 1);
    });
  }
  g.wait();
  return std::accumulate(ways, ways + tasks, std::uint64_t{0});
}

double queens_ms(int n, std::uint64_t expected) {
  const double begin_ns = now_ns();
  PEERS_CHECK(queens((std::uint64_t{1} << n) - 1, 0, 0, 0) == expected);
  return (now_ns() - begin_ns) / 1e6;
}

double fib_ms(int n, long expected) {
  const double begin_ns = now_ns();
  PEERS_CHECK(fib(n) == expected);
  return (now_ns() - begin_ns) / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  const plan run = plan::from_arguments(argc, argv);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, kWorkers);
  tbb::task_arena arena(kWorkers);
  thread_records out(run);
  const bool tiny = run.repeats == 1;
  arena.execute([&] {
    out.measure("ult_fan_2w", [&] { return fan_ns(tiny ? 1 : 10); });
    out.measure("ult_fan_1e6_2w", flat_fan_ns);
    out.measure(
        "ult_fib_tasks_2w", [&] { return tiny ? fib_ms(12, 144) : fib_ms(27, 196418); }, "ms");
    out.measure("tam_fib_2", [&] { return tiny ? fib_ms(12, 144) : fib_ms(27, 196418); }, "ms");
    out.measure("tam_queens_2", [&] { return tiny ? queens_ms(6, 4) : queens_ms(10, 724); }, "ms");
  });
  out.print("tbb", std::string("oneTBB ") + TBB_runtime_version(), "task_group, two threads");
  return 0;
}
