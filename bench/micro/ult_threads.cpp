// SPDX-License-Identifier: Apache-2.0
// Making threads and tasks, and what blocked threads take of memory.
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "harness/raw.hpp"
#include "micro/bare_threads.hpp"
#include "micro/bodies.hpp"
#include "micro/ult_bodies.hpp"

namespace bench {
namespace {

// --- Create, run, join --------------------------------------------------------------------------

constexpr unsigned kThreads = 20'000;

double create_ns(unsigned count) {
  unsigned ran = 0;
  const double thread_ns = each_ns(count, [&ran] {
    const auto t = ult::spawn([](unsigned* number) { ++*number; }, &ran);
    t.join();
  });
  BENCH_CHECK(ran == count, "a thread did not run");
  return thread_ns;
}

double bare_create_ns(unsigned count) {
  bare_lender lender;
  unsigned ran = 0;
  const auto run = [](void* number) { ++*static_cast<unsigned*>(number); };
  lender.run_and_join(lender.create(run, &ran));
  const double thread_ns = each_ns(count, [&] { lender.run_and_join(lender.create(run, &ran)); });
  BENCH_CHECK(ran == count + 1, "a function of the limit did not run");
  return thread_ns;
}

// Calls f on two workers at a time; the later result.
double on_both(const std::function<double()>& f) {
  std::atomic<unsigned> there{0};
  const auto together = [&f, &there] {
    there.fetch_add(1, std::memory_order_relaxed);
    spin_until([&there] { return there.load(std::memory_order_relaxed) == 2; });
    return f();
  };
  const auto other = ult::spawn(ult::attributes{.worker = 1}, together);
  const double mine = together();
  return std::max(mine, other.join());
}

// --- Many tasks ---------------------------------------------------------------------------------

constexpr unsigned kRounds = 10, kGroups = 100, kTasks = 1000;

struct alignas(kLineBytes) tally {
  std::uint64_t count = 0;  // by its worker
} ran[2];

void run_leaf() { ++ran[ult::this_thread::worker()].count; }

void run_group() {
  ult::task_group leaves;
  for (unsigned i = 0; i < kTasks; ++i) leaves.run(run_leaf);
  leaves.wait();
}

// ns for each of the leaves.
double fan_ns(unsigned rounds) {
  ran[0].count = ran[1].count = 0;
  const double round_ns = each_ns(rounds, [] {
    ult::task_group groups;
    for (unsigned i = 0; i < kGroups; ++i) groups.run(run_group);
    groups.wait();
  });
  BENCH_CHECK(ran[0].count + ran[1].count == std::uint64_t{rounds} * kGroups * kTasks,
              "a task was lost, or ran twice");
  return round_ns / (kGroups * kTasks);
}

// Functions with their arguments, written to a list and called from there; ns for each of `tasks`.
double bare_calls_ns(unsigned lists, unsigned tasks) {
  struct call {
    void (*function)(void*);
    void* argument;
  };
  const auto list = std::make_unique<call[]>(tasks);
  std::uint64_t count = 0;
  const double list_ns = each_ns(lists, [&] {
    for (unsigned i = 0; i < tasks; ++i)
      list[i] = {[](void* number) { ++*static_cast<std::uint64_t*>(number); }, &count};
    memory_is_seen();
    for (unsigned i = 0; i < tasks; ++i) list[i].function(list[i].argument);
  });
  BENCH_CHECK(count == std::uint64_t{lists} * tasks, "a call of the limit was lost");
  return list_ns / tasks;
}

// --- Fork and join ------------------------------------------------------------------------------

constexpr int kFib = 27, kFibTiny = 12;
constexpr unsigned kFanTasks = 1'000'000;

long called_fib(int n) {
  if (n < 2) return n;
  const long one = called_fib(n - 1);
  memory_is_seen();  // a call each, as forks are
  return one + called_fib(n - 2);
}

long spawned_fib(int n) {
  if (n < 2) return n;
  const auto one = ult::spawn(spawned_fib, n - 1);
  const long other = spawned_fib(n - 2);
  return one.join() + other;
}

long task_fib(int n) {
  if (n < 2) return n;
  long one = 0;
  ult::task_group g;
  g.run([&one, n] { one = task_fib(n - 1); });
  const long other = task_fib(n - 2);
  g.wait();
  return one + other;
}

double fib_ms(long (*fib)(int), int n) {
  constexpr double kNsInMs = 1e6;
  long two[2] = {0, 1};  // of the last two numbers
  for (int i = 1; i < n; ++i) two[(i + 1) % 2] += two[i % 2];
  const double begin_ns = now_ns();
  const long result = fib(n);
  const double spent_ms = (now_ns() - begin_ns) / kNsInMs;
  BENCH_CHECK(result == two[n % 2], "a Fibonacci number is wrong");
  return spent_ms;
}

void measure_fib(solo& s, long (*fib)(int)) {
  const running_workers two(s, {.workers = 2});
  const int n = s.count(kThreads) < kThreads ? kFibTiny : kFib;
  s.note("n", unsigned(n));
  s.measure([=] { return fib_ms(fib, n); }, [=] { return fib_ms(called_fib, n); });
}

// ns for each of the tasks of one group.
double flat_fan_ns(unsigned count) {
  ran[0].count = ran[1].count = 0;
  const double begin_ns = now_ns();
  ult::task_group g;
  for (unsigned i = 0; i < count; ++i) g.run(run_leaf);
  g.wait();
  const double spent_ns = now_ns() - begin_ns;
  BENCH_CHECK(ran[0].count + ran[1].count == count, "a task was lost, or ran twice");
  return spent_ns / count;
}

void measure_flat_fan(solo& s, unsigned workers) {
  const running_workers all(s, {.workers = workers});
  const unsigned count = s.count(kFanTasks);
  s.note("tasks", count);
  s.measure([count] { return flat_fan_ns(count); },
            [=] {
              if (workers == 1) return bare_calls_ns(1, count);
              return on_both([=] { return bare_calls_ns(1, count / 2); }) / 2;
            });
}

// --- Memory -------------------------------------------------------------------------------------

constexpr unsigned kBlocked = 10'000, kWaiting = 100'000;

// Rss of /proc/self/smaps_rollup: pages of this process that are in memory, counted one by one. The
// kernel's own (page tables, mappings) are not among them.
double resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/smaps_rollup", "r");
  BENCH_CHECK(file != nullptr, "there is no /proc/self/smaps_rollup");
  char line[256];
  unsigned long kib = 0;
  while (std::fgets(line, sizeof line, file) != nullptr)
    if (std::sscanf(line, "Rss: %lu kB", &kib) == 1) break;
  std::fclose(file);
  return double(kib) * 1024;
}

// Threads that wait for a semaphore, a frame deep. They are made a hundred at a time: more that
// wait to be started would take blocks that are free, but resident, once all have started.
double blocked_bytes(unsigned count) {
  ult::start({.workers = 1});
  ult::semaphore gate(0);
  unsigned arrived = 0;
  std::vector<ult::thread<>> threads(count);
  ult::spawn([] {}).join();
  const double before = resident_bytes();
  for (unsigned i = 0; i < count; ++i) {
    threads[i] = ult::spawn([&gate, &arrived] {
      ++arrived;
      gate.acquire();
    });
    if (i % 100 == 99) ult::this_thread::yield();
  }
  const double grown = resident_bytes() - before;
  BENCH_CHECK(arrived == count, "a thread does not block");
  gate.release(count);
  return grown / count;
}

// A page of each of as many stacks.
double bare_blocked_bytes(unsigned count) {
  const bare_stacks stacks(count);
  const double before = resident_bytes();
  for (unsigned i = 0; i < count; ++i) bare_begin(stacks.top(i), nullptr);
  return (resident_bytes() - before) / count;
}

// Threads that have not run yet.
double waiting_bytes(unsigned count) {
  ult::start({.workers = 1});
  unsigned ran_so_far = 0;
  std::vector<ult::thread<>> threads(count);
  ult::spawn([] {}).join();
  const double before = resident_bytes();
  for (ult::thread<>& t : threads) t = ult::spawn([&ran_so_far] { ++ran_so_far; });
  const double grown = resident_bytes() - before;
  BENCH_CHECK(ran_so_far == 0, "a thread ran before it was let");
  threads.clear();
  BENCH_CHECK(ran_so_far == count, "a thread did not run");
  return grown / count;
}

// What to call, with what, and who waits for it, one after the other.
double bare_waiting_bytes(unsigned count) {
  struct waiting {
    void (*function)(void*);
    void* argument;
    void* joiner;
    std::uint64_t state;
  };
  const std::size_t bytes = count * sizeof(waiting);
  const double before = resident_bytes();
  void* list = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  BENCH_CHECK(list != MAP_FAILED, "no memory for the list of the limit");
  std::memset(list, 1, bytes);
  const double grown = resident_bytes() - before;
  ::munmap(list, bytes);
  return grown / count;
}

void measure_memory(solo& s, unsigned threads, double (*ours)(unsigned),
                    double (*limit)(unsigned)) {
  const unsigned count = s.count(threads);
  s.note("threads", count);
  s.measure([=] { return in_fork([=] { return ours(count); }); },
            [=] { return in_fork([=] { return limit(count); }); });
}

}  // namespace

void measure_ult_create_join(solo& s) {
  const running_workers one(s, {.workers = 1});
  const unsigned count = s.count(kThreads);
  s.measure([count] { return create_ns(count); }, [count] { return bare_create_ns(count); });
}

void measure_ult_create_join_2w(solo& s) {
  const running_workers two(s, {.workers = 2});
  const unsigned count = s.count(kThreads);
  s.measure([count] { return on_both([count] { return create_ns(count); }); },
            [count] { return on_both([count] { return bare_create_ns(count); }); });
}

void measure_ult_fan_2w(solo& s) {
  const running_workers two(s, {.workers = 2});
  const unsigned rounds = s.count(kRounds);
  s.note("tasks", rounds * kGroups * kTasks);
  s.measure([rounds] { return fan_ns(rounds); },
            [rounds] {
              return on_both([rounds] { return bare_calls_ns(rounds * kGroups / 2, kTasks); }) / 2;
            });
}

void measure_ult_fan_1e6(solo& s) { measure_flat_fan(s, 1); }
void measure_ult_fan_1e6_2w(solo& s) { measure_flat_fan(s, 2); }
void measure_ult_fib_2w(solo& s) { measure_fib(s, spawned_fib); }
void measure_ult_fib_tasks_2w(solo& s) { measure_fib(s, task_fib); }

void measure_ult_memory(solo& s) { measure_memory(s, kBlocked, blocked_bytes, bare_blocked_bytes); }
void measure_ult_memory_waiting(solo& s) {
  measure_memory(s, kWaiting, waiting_bytes, bare_waiting_bytes);
}

}  // namespace bench
