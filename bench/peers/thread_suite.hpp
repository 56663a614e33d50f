// SPDX-License-Identifier: Apache-2.0
// The rows about threads, for systems whose threads, mutexes and condition variables look like the
// standard library's. A system is a class with those three types, spawn(f), yield(), and whether a
// yield is certain to let each other ready thread run once (kFair).
//
// What is measured stays on the CPU of the first thread, as user-level threads do.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "measure.hpp"

namespace peers {

class thread_records {
 public:
  explicit thread_records(const plan& run) : run_(run) {}

  // The median of kernel().
  template <class Kernel>
  void measure(const std::string& name, Kernel kernel, const char* unit = "ns") {
    kernel();
    std::vector<double> values;
    const double end_ns = now_ns() + run_.row_ns_max / 2;
    while (static_cast<int>(values.size()) < run_.repeats &&
           (static_cast<int>(values.size()) < run_.repeats_min || now_ns() < end_ns)) {
      values.push_back(kernel());
    }
    records_.push_back({name, unit, {.value = median(values), .limit = 0}, 1, 0});
  }

  void print(const std::string& system, const std::string& library,
             const std::string& settings) const {
    print_records({json_lines(
        records_, json_member("system", system) + json_member("library", library) +
                      json_member("settings", settings) + json_member("build", build_text()))});
  }

 private:
  plan run_;
  std::vector<record> records_;
};

// ns that one of `count` calls of f takes.
template <class F>
double each_ns(int count, F f) {
  const double begin_ns = now_ns();
  for (int i = 0; i < count; ++i) f();
  return (now_ns() - begin_ns) / count;
}

inline void memory_is_seen() { asm volatile("" : : : "memory"); }

// --- Yields -------------------------------------------------------------------------------------

// Threads that yield from four places, the first one of the process among them.
template <class System>
class yielding_crowd {
 public:
  static constexpr std::uint64_t kSites = 4;

  explicit yielding_crowd(int threads) : laps_(new lap_count[static_cast<size_t>(threads)]) {
    const std::lock_guard hold(gate_);  // nobody begins before all are there
    for (int i = 1; i < threads; ++i) {
      lap_count& mine = laps_[static_cast<size_t>(i)];
      others_.push_back(System::spawn([this, &mine] {
        {
          const std::lock_guard wait(gate_);
        }
        while (!stop_.load(std::memory_order_relaxed)) lap(mine);
      }));
    }
  }
  ~yielding_crowd() {
    stop_.store(true, std::memory_order_relaxed);
    for (auto& each : others_) each.join();
  }

  double yield_ns() {
    constexpr double kBlockNs = 2e6;
    const std::uint64_t before = all_laps();
    const double begin_ns = now_ns();
    double end_ns = begin_ns;
    const std::uint64_t mine = laps_[0].count.load(std::memory_order_relaxed);
    while (end_ns < begin_ns + kBlockNs) {
      lap(laps_[0]);
      end_ns = now_ns();
    }
    const std::uint64_t laps = all_laps() - before;
    const std::uint64_t own = laps_[0].count.load(std::memory_order_relaxed) - mine;
    if (System::kFair) PEERS_CHECK(laps + others_.size() >= own * (others_.size() + 1));
    PEERS_CHECK(laps >= own && own > 0);
    return (end_ns - begin_ns) / static_cast<double>(laps * kSites);
  }

 private:
  struct alignas(64) lap_count {
    std::atomic<std::uint64_t> count{0};  // by its thread; read by the first one
  };

  static void lap(lap_count& mine) {
    System::yield();
    System::yield();
    System::yield();
    System::yield();
    mine.count.store(mine.count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  std::uint64_t all_laps() const {
    std::uint64_t sum = 0;
    for (size_t i = 0; i <= others_.size(); ++i)
      sum += laps_[i].count.load(std::memory_order_relaxed);
    return sum;
  }

  std::unique_ptr<lap_count[]> laps_;
  std::atomic<bool> stop_{false};
  typename System::mutex gate_;
  std::vector<typename System::thread> others_;
};

// --- Mutexes ------------------------------------------------------------------------------------

template <class Mutex>
double mutex_ns(int count) {
  static Mutex mutex;
  const double pair_ns = each_ns(count, [] {
    mutex.lock();
    memory_is_seen();
    mutex.unlock();
  });
  PEERS_CHECK(mutex.try_lock());
  mutex.unlock();
  return pair_ns;
}

inline constexpr int kRingThreads = 10;

// One mutex more than there are threads, each of which holds one. At its turn a thread gets the
// mutex of the one before, lets go of its own, and keeps what it got.
template <class System>
double mutex_ring_ns(int laps) {
  constexpr int kMutexes = kRingThreads + 1;
  const auto mutexes = std::make_unique<typename System::mutex[]>(kMutexes);
  std::atomic<int> ready{0};
  std::uint64_t hops = 0;
  mutexes[kRingThreads].lock();
  std::vector<typename System::thread> threads;
  for (int i = 0; i < kRingThreads; ++i) {
    threads.push_back(System::spawn([&, i] {
      int own = i;
      mutexes[own].lock();
      ready.fetch_add(1, std::memory_order_relaxed);
      // Who went on before all have theirs could take the mutex of one that has not begun.
      while (ready.load(std::memory_order_relaxed) != kRingThreads) System::yield();
      for (int lap = 0; lap < laps; ++lap) {
        const int given = own == 0 ? kRingThreads : own - 1;
        mutexes[given].lock();
        ++hops;
        mutexes[own].unlock();
        own = given;
      }
      mutexes[own].unlock();
    }));
  }
  while (ready.load(std::memory_order_relaxed) != kRingThreads) System::yield();
  const double begin_ns = now_ns();
  mutexes[kRingThreads].unlock();
  for (auto& each : threads) each.join();
  const double ring_ns = now_ns() - begin_ns;
  PEERS_CHECK(hops == static_cast<std::uint64_t>(laps) * kRingThreads);
  return ring_ns / static_cast<double>(hops);
}

// A variable says whose turn it is; each thread waits for it with a condition variable of its own.
template <class System>
double condition_ring_ns(int laps) {
  typename System::mutex mutex;
  typename System::condition changed[kRingThreads];
  int turn = -1;
  std::uint64_t hops = 0;
  std::vector<typename System::thread> threads;
  for (int i = 0; i < kRingThreads; ++i) {
    threads.push_back(System::spawn([&, i] {
      const int next = i + 1 == kRingThreads ? 0 : i + 1;
      for (int lap = 0; lap < laps; ++lap) {
        std::unique_lock<typename System::mutex> hold(mutex);
        changed[i].wait(hold, [&] { return turn == i; });
        ++hops;
        turn = next;
        changed[next].notify_one();
      }
    }));
  }
  System::yield();
  const double begin_ns = now_ns();
  {
    const std::lock_guard hold(mutex);
    turn = 0;
    changed[0].notify_one();
  }
  for (auto& each : threads) each.join();
  const double ring_ns = now_ns() - begin_ns;
  PEERS_CHECK(hops == static_cast<std::uint64_t>(laps) * kRingThreads);
  return ring_ns / static_cast<double>(hops);
}

// --- Threads ------------------------------------------------------------------------------------

template <class System>
double create_ns(int count) {
  int ran = 0;
  const double thread_ns = each_ns(count, [&ran] {
    auto thread = System::spawn([&ran] { ++ran; });
    thread.join();
  });
  PEERS_CHECK(ran == count);
  return thread_ns;
}

// Rss of /proc/self/smaps_rollup: this process's pages in memory, none of the kernel's own.
inline double resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/smaps_rollup", "r");
  PEERS_CHECK(file != nullptr);
  char line[256];
  unsigned long kib = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::sscanf(line, "Rss: %lu kB", &kib) == 1) break;
  }
  std::fclose(file);
  return static_cast<double>(kib) * 1024;
}

// Of one of `count` threads that wait for a mutex.
template <class System>
double blocked_bytes(int count) {
  typename System::mutex gate;
  std::atomic<int> there{0};
  std::vector<typename System::thread> threads(static_cast<size_t>(count));
  System::spawn([] {}).join();
  gate.lock();
  const double before = resident_bytes();
  for (auto& each : threads) {
    each = System::spawn([&] {
      there.fetch_add(1, std::memory_order_relaxed);
      const std::lock_guard wait(gate);
    });
  }
  while (there.load(std::memory_order_relaxed) != count) System::yield();
  const double grown = resident_bytes() - before;
  gate.unlock();
  for (auto& each : threads) each.join();
  return grown / count;
}

// What f() returns in a forked process, whose memory nobody has used before. While this process has
// one thread.
template <class F>
double in_fork(F f) {
  int ends[2];
  PEERS_CHECK(pipe(ends) == 0);
  const pid_t child = fork();
  PEERS_CHECK(child >= 0);
  double value = 0;
  if (child == 0) {
    value = f();
    _exit(write(ends[1], &value, sizeof value) == static_cast<ssize_t>(sizeof value) ? 0 : 1);
  }
  close(ends[1]);
  const bool heard = read(ends[0], &value, sizeof value) == static_cast<ssize_t>(sizeof value);
  close(ends[0]);
  int status = 0;
  PEERS_CHECK(waitpid(child, &status, 0) == child && status == 0 && heard);
  return value;
}

// --- All ----------------------------------------------------------------------------------------

// Calls f while a second system thread sleeps: libraries take short cuts where there is only one.
template <class F>
void beside_another_thread(F f) {
  std::mutex asleep;
  asleep.lock();
  std::thread other([&asleep] { const std::lock_guard wait(asleep); });
  f();
  asleep.unlock();
  other.join();
}

// crowd_max: of yielding threads; blocked: threads whose memory is looked at.
template <class System>
void thread_rows(thread_records& out, const plan& run, int laps, int creates, int crowd_max,
                 int blocked) {
  out.measure(
      "ult_memory", [&] { return in_fork([&] { return blocked_bytes<System>(blocked); }); }, "B");
  const auto mutex = [&] { return mutex_ns<typename System::mutex>(run.count(100000)); };
  out.measure("ult_mutex", mutex);
  beside_another_thread([&] { out.measure("ult_mutex_2w", mutex); });
  out.measure("ult_ring_mutex", [&] { return mutex_ring_ns<System>(run.count(laps)); });
  out.measure("ult_ring_condition", [&] { return condition_ring_ns<System>(run.count(laps)); });
  out.measure("ult_create_join", [&] { return create_ns<System>(run.count(creates)); });
  for (int threads : {10, 1000, 10000}) {
    if (threads > crowd_max) break;
    yielding_crowd<System> crowd(threads);
    out.measure("ult_yield_" + std::to_string(threads), [&] { return crowd.yield_ns(); });
  }
}

}  // namespace peers
