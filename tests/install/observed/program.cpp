// SPDX-License-Identifier: Apache-2.0
// A program that tools observe (observed_test.py): a job of two ranks with user-level threads,
// messages and global memory; with the argument "workers", threads at three workers instead. Every
// result is checked. Under a race detector each datum that threads share is also a test of what the
// detector was told: only the library orders the accesses.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "ramjet/ramjet.hpp"
#include "ramjet/spread.hpp"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"

namespace {

namespace ult = ramjet::ult;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(EXIT_FAILURE);
}

// --- One worker and messages ---------------------------------------------------------------------

long twice(long x) { return 2 * x; }
long answered = 0;
void on_answer(ramjet::reply_token, long x) { answered += x; }
void on_ask(ramjet::request_token t, long x) { ramjet::reply<on_answer>(std::move(t), x + 1); }

struct gathering {
  ult::mutex guard;
  ult::condition_variable all;
  long sum = 0;
  int present = 0;
};

// What it allocates is reachable from its stack alone while it waits.
void gather(gathering& g, int threads, int i) {
  const auto own = std::make_unique<std::vector<long>>(100, i);
  for (int k = 0; k < 20; ++k) {
    {
      const std::lock_guard hold(g.guard);
      g.sum += (*own)[std::size_t(k)];
    }
    ult::this_thread::yield();
  }
  std::unique_lock hold(g.guard);
  if (++g.present == threads)
    g.all.notify_all();
  else
    g.all.wait(hold, [&] { return g.present == threads; });
}

void throw_across_a_switch() {
  auto t = ult::spawn([] {
    ult::this_thread::yield();
    throw std::runtime_error("thrown");
  });
  try {
    t.join();
    expect(false, "join throws what the thread has thrown");
  } catch (const std::runtime_error& e) {
    expect(std::strcmp(e.what(), "thrown") == 0, "the exception is the thread's");
  }
}

void wait_for_a_variable() {
  int turn = 0;
  auto waits = ult::spawn([&] { ult::wait_until(ult::value(turn) == 3); });
  for (int i = 0; i < 3; ++i) {
    ++turn;
    ult::this_thread::yield();
  }
  waits.join();
}

__attribute__((noinline)) void stop_here() { asm volatile(""); }  // a breakpoint of the debugger's

void use_threads() {
  constexpr int kThreads = 8;
  gathering g;
  std::vector<ult::thread<>> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.push_back(ult::spawn([&g, i] { gather(g, kThreads, i); }));
  for (auto& t : threads) t.join();
  expect(g.sum == 20 * kThreads * (kThreads - 1) / 2, "the sum of all threads");
  throw_across_a_switch();
  wait_for_a_variable();
  ult::spawn({.name = "debugged"}, stop_here).join();
}

void use_messages(int other) {
  std::vector<ult::thread<long>> calls;
  for (long i = 0; i < 8; ++i)
    calls.push_back(ult::spawn([other, i] { return ramjet::call<twice>(other, i).get(); }));
  long sum = 0;
  for (auto& c : calls) sum += c.join();
  expect(sum == 56, "calls give the answers of the other rank");
  for (long i = 0; i < 100; ++i) ramjet::request<on_ask>(other, i);
  ramjet::wait_until([] { return answered == 5050; });
}

void use_global_memory() {
  const int words = 10 * ramjet::size();
  auto spread = ramjet::all_spread_malloc<long>(std::size_t(words));
  for (int i = ramjet::rank(); i < words; i += ramjet::size()) ramjet::write(spread + i, long(i));
  ramjet::barrier();
  long sum = 0;
  for (int i = 0; i < words; ++i) sum += ramjet::read(spread + i);
  expect(sum == long(words) * (words - 1) / 2, "the words of all ranks");
  ramjet::barrier();
}

// --- Three workers -------------------------------------------------------------------------------

constexpr int kWorkers = 3, kEach = 12;

struct shared_data {
  gathering by_mutex;
  ult::barrier meet{kEach};
  ult::latch end{kEach};
  ult::shared_mutex readers;
  long written = 0;
  long before_meet[kEach] = {};
  long before_end[kEach] = {};
};

void share(shared_data& d, int i) {
  gather(d.by_mutex, kEach, i);
  d.before_meet[i] = i;
  d.meet.arrive_and_wait();
  for (int k = 0; k < kEach; ++k) expect(d.before_meet[k] == k, "written before the barrier");
  {
    const std::lock_guard hold(d.readers);
    ++d.written;
  }
  d.before_end[i] = i;
  d.end.count_down();
  d.end.wait();
  for (int k = 0; k < kEach; ++k) expect(d.before_end[k] == k, "written before the latch opened");
}

void hand_results_over() {
  ult::semaphore filled(0);
  long box = 0;
  auto fills = ult::spawn({.worker = 1}, [&] {
    box = 7;
    filled.release();
  });
  filled.acquire();
  expect(box == 7, "written before the release");
  fills.join();
  auto made = ult::spawn({.worker = 2}, [] { return std::vector<int>(10, 3); });
  while (!made.ended()) ult::this_thread::yield();
  expect(made.join()[3] == 3, "the result of a thread that was not waited for");
}

long fibonacci(int n) {
  if (n < 2) return n;
  auto one = ult::spawn(fibonacci, n - 1);
  const long other = fibonacci(n - 2);
  return one.join() + other;
}

void fork_and_join() {
  long parts[64] = {};
  {
    ult::task_group g;
    for (long i = 0; i < 64; ++i)
      g.run([&parts, i] {
        for (volatile int k = 0; k < 3000; k = k + 1) {
        }
        parts[i] = i;
      });
    g.wait();
  }
  long sum = 0;
  for (const long p : parts) sum += p;
  expect(sum == 63 * 64 / 2, "the results of tasks");
  expect(fibonacci(12) == 144, "fork and join");
  auto moves = ult::spawn([] {
    ult::this_thread::bind(1);
    const auto own = std::make_unique<int>(4);
    ult::this_thread::bind(2);
    return *own;
  });
  expect(moves.join() == 4, "a thread that moves");
}

void use_workers() {
  ult::start({.workers = kWorkers});
  for (int round = 0; round < 10; ++round) {
    shared_data d;
    std::vector<ult::thread<>> threads;
    for (int i = 0; i < kEach; ++i)
      threads.push_back(ult::spawn({.worker = i % kWorkers}, [&d, i] { share(d, i); }));
    for (auto& t : threads) t.join();
    expect(d.written == kEach, "each thread has written once");
    hand_results_over();
    fork_and_join();
  }
  ult::stop();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "workers") == 0) {
    use_workers();
    std::printf("workers are done\n");
    return EXIT_SUCCESS;
  }
  ramjet::init(argc, argv);
  use_threads();
  use_messages((ramjet::rank() + 1) % ramjet::size());
  use_global_memory();
  std::printf("rank %d of %d is done\n", ramjet::rank(), ramjet::size());
  ramjet::finalize();
}
