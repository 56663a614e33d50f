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

// Functions with their arguments, written to a list and called from there.
double bare_fan_ns(unsigned rounds) {
  struct call {
    void (*function)(void*);
    void* argument;
  };
  const auto list = std::make_unique<call[]>(kTasks);
  std::uint64_t count = 0;
  const double group_ns = each_ns(rounds * kGroups / 2, [&] {
    for (unsigned i = 0; i < kTasks; ++i)
      list[i] = {[](void* number) { ++*static_cast<std::uint64_t*>(number); }, &count};
    memory_is_seen();
    for (unsigned i = 0; i < kTasks; ++i) list[i].function(list[i].argument);
  });
  BENCH_CHECK(count == std::uint64_t{rounds * kGroups / 2} * kTasks,
              "a call of the limit was lost");
  return group_ns / kTasks / 2;  // two workers do it at a time
}

// --- Memory -------------------------------------------------------------------------------------

constexpr unsigned kBlocked = 10'000, kWaiting = 100'000;  // multiples of 100

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
double blocked_bytes() {
  ult::start({.workers = 1});
  ult::semaphore gate(0);
  unsigned arrived = 0;
  std::vector<ult::thread<>> threads(kBlocked);
  ult::spawn([] {}).join();
  const double before = resident_bytes();
  for (unsigned i = 0; i < kBlocked; ++i) {
    threads[i] = ult::spawn([&gate, &arrived] {
      ++arrived;
      gate.acquire();
    });
    if (i % 100 == 99) ult::this_thread::yield();
  }
  const double grown = resident_bytes() - before;
  BENCH_CHECK(arrived == kBlocked, "a thread does not block");
  gate.release(kBlocked);
  return grown / kBlocked;
}

// A page of each of as many stacks.
double bare_blocked_bytes() {
  const bare_stacks stacks(kBlocked);
  const double before = resident_bytes();
  for (unsigned i = 0; i < kBlocked; ++i) bare_begin(stacks.top(i), nullptr);
  return (resident_bytes() - before) / kBlocked;
}

// Threads that have not run yet.
double waiting_bytes() {
  ult::start({.workers = 1});
  unsigned ran_so_far = 0;
  std::vector<ult::thread<>> threads(kWaiting);
  ult::spawn([] {}).join();
  const double before = resident_bytes();
  for (ult::thread<>& t : threads) t = ult::spawn([&ran_so_far] { ++ran_so_far; });
  const double grown = resident_bytes() - before;
  BENCH_CHECK(ran_so_far == 0, "a thread ran before it was let");
  threads.clear();
  BENCH_CHECK(ran_so_far == kWaiting, "a thread did not run");
  return grown / kWaiting;
}

// What to call, with what, and who waits for it, one after the other.
double bare_waiting_bytes() {
  struct waiting {
    void (*function)(void*);
    void* argument;
    void* joiner;
    std::uint64_t state;
  };
  const std::size_t bytes = kWaiting * sizeof(waiting);
  const double before = resident_bytes();
  void* list = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  BENCH_CHECK(list != MAP_FAILED, "no memory for the list of the limit");
  std::memset(list, 1, bytes);
  const double grown = resident_bytes() - before;
  ::munmap(list, bytes);
  return grown / kWaiting;
}

void measure_memory(solo& s, unsigned threads, double (*ours)(), double (*limit)()) {
  s.note("threads", threads);
  s.measure([ours] { return in_fork(ours); }, [limit] { return in_fork(limit); });
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
            [rounds] { return on_both([rounds] { return bare_fan_ns(rounds); }); });
}

void measure_ult_memory(solo& s) { measure_memory(s, kBlocked, blocked_bytes, bare_blocked_bytes); }
void measure_ult_memory_waiting(solo& s) {
  measure_memory(s, kWaiting, waiting_bytes, bare_waiting_bytes);
}

}  // namespace bench
