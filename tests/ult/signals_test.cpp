// SPDX-License-Identifier: Apache-2.0
// What threads tell each other by: semaphores, condition variables, barriers, latches, channels.
#include <numeric>
#include <vector>

#include "workers.hpp"

namespace {

using namespace std::chrono_literals;

class signals : public with_workers {};
RAMJET_WITH_WORKERS(signals);

constexpr int kMany = kSanitized ? 200 : 2000;

// --- semaphore ------------------------------------------------------------------------------------

TEST_P(signals, semaphore_counts) {
  ult::semaphore s(2);
  s.acquire();
  EXPECT_TRUE(s.try_acquire());
  EXPECT_FALSE(s.try_acquire());
  s.release(3);
  for (int i = 0; i < 3; ++i) s.acquire();
  EXPECT_FALSE(s.try_acquire());
}

TEST_P(signals, semaphore_hands_units_to_who_waits) {
  ult::semaphore s(0);
  std::atomic<int> through{0};
  std::vector<ult::thread<>> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(ult::spawn([&] {
      s.acquire();
      ++through;
    }));
  for (int i = 0; i < 30; ++i) s.release();
  ult::wait_until(ult::value(through) == 30);
  for (int i = 0; i < 20; ++i) ult::this_thread::yield();
  EXPECT_EQ(through, 30);
  s.release(70);
  all.clear();
  EXPECT_EQ(through, 100);
  EXPECT_FALSE(s.try_acquire());
}

TEST_P(signals, semaphore_tries_end_in_time) {
  ult::semaphore s(0);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(s.try_acquire_for(5ms));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 5ms);
  EXPECT_FALSE(s.try_acquire_for(-5ms));
  s.release();
  EXPECT_TRUE(s.try_acquire_for(5ms));
  EXPECT_FALSE(s.try_acquire());
}

// Units that come at the moment when time is up or the thread is cancelled are neither lost nor
// doubled.
TEST_P(signals, semaphore_loses_no_unit) {
  constexpr int kUnits = 5;
  ult::semaphore s(kUnits);
  std::atomic<int> out{0}, most{0}, timed_out{0}, cancelled{0};
  std::vector<ult::thread<>> all;
  for (int i = 0; i < kMany / 4; ++i)
    all.push_back(ult::spawn([&, i] {
      try {
        for (int n = 0; n < 20; ++n) {
          if (i % 2 == 0) {
            s.acquire();
          } else if (!s.try_acquire_for(1us * (i % 50))) {
            ++timed_out;
            continue;
          }
          const int now = ++out;
          if (now > most) most = now;
          ult::this_thread::yield();
          --out;
          s.release();
        }
      } catch (const ult::cancelled&) {
        ++cancelled;
      }
    }));
  for (std::size_t i = 0; i < all.size(); i += 3) {
    all[i].cancel();
    ult::this_thread::yield();
  }
  all.clear();
  EXPECT_LE(most, kUnits);
  for (int i = 0; i < kUnits; ++i) EXPECT_TRUE(s.try_acquire());
  EXPECT_FALSE(s.try_acquire());
}

// --- condition_variable ---------------------------------------------------------------------------

TEST_P(signals, condition_variable_wakes_one_or_all) {
  ult::mutex m;
  ult::condition_variable c;
  int waiting = 0, woken = 0;
  std::vector<ult::thread<>> all;
  for (int i = 0; i < 20; ++i)
    all.push_back(ult::spawn([&] {
      std::unique_lock hold(m);
      ++waiting;
      c.wait(hold);
      ++woken;
    }));
  const auto count = [&](const int& of) {
    const std::lock_guard hold(m);
    return of;
  };
  yield_until([&] { return count(waiting) == 20; });
  c.notify_one();
  yield_until([&] { return count(woken) == 1; });
  for (int i = 0; i < 20; ++i) ult::this_thread::yield();
  EXPECT_EQ(count(woken), 1);
  c.notify_all();
  all.clear();
  EXPECT_EQ(woken, 20);
  c.notify_all();  // nobody
}

TEST_P(signals, condition_variable_waits_end_in_time) {
  ult::mutex m;
  ult::condition_variable c;
  std::unique_lock hold(m);
  EXPECT_EQ(c.wait_for(hold, 5ms), std::cv_status::timeout);
  EXPECT_TRUE(hold.owns_lock());
  EXPECT_FALSE(c.wait_for(hold, 1ms, [] { return false; }));
  EXPECT_TRUE(c.wait_for(hold, 1h, [] { return true; }));
  bool ready = false;
  auto t = ult::spawn([&] {
    const std::lock_guard held(m);
    ready = true;
    c.notify_one();
  });
  EXPECT_TRUE(c.wait_for(hold, 1h, [&] { return ready; }));
}

// --- barrier, latch -------------------------------------------------------------------------------

TEST_P(signals, barrier_keeps_rounds_apart) {
  constexpr int kThreads = 10, kRounds = kSanitized ? 20 : 200;
  ult::barrier b(kThreads);
  std::array<std::atomic<int>, kRounds> arrived{};
  std::atomic<int> early{0};
  std::vector<ult::thread<>> all;
  for (int i = 0; i < kThreads; ++i)
    all.push_back(ult::spawn([&] {
      for (auto& count : arrived) {
        ++count;
        b.arrive_and_wait();
        early += count != kThreads;
      }
    }));
  all.clear();
  EXPECT_EQ(early, 0);
}

TEST_P(signals, barrier_goes_on_without_who_dropped) {
  ult::barrier b(3);
  std::atomic<int> rounds{0};
  std::vector<ult::thread<>> all;
  for (int i = 0; i < 2; ++i)
    all.push_back(ult::spawn([&] {
      for (int n = 0; n < 10; ++n) {
        b.arrive_and_wait();
        ++rounds;
      }
    }));
  for (int i = 0; i < 10; ++i) ult::this_thread::yield();
  EXPECT_EQ(rounds, 0);
  b.arrive_and_drop();
  all.clear();
  EXPECT_EQ(rounds, 20);
}

TEST_P(signals, latch_opens_once) {
  ult::latch l(3);
  std::atomic<int> through{0};
  std::vector<ult::thread<>> all;
  for (int i = 0; i < 10; ++i)
    all.push_back(ult::spawn([&] {
      l.wait();
      ++through;
    }));
  l.count_down(2);
  for (int i = 0; i < 10; ++i) ult::this_thread::yield();
  EXPECT_FALSE(l.try_wait());
  EXPECT_EQ(through, 0);
  l.arrive_and_wait();
  EXPECT_TRUE(l.try_wait());
  l.wait();
  all.clear();
  EXPECT_EQ(through, 10);
  ult::latch(0).wait();
}

// --- channel --------------------------------------------------------------------------------------

TEST_P(signals, channel_keeps_order) {
  ult::channel<int> c(4);
  auto reader = ult::spawn([&] {
    int expected = 0;
    while (auto v = c.pop())
      if (*v == expected) ++expected;
    return expected;
  });
  for (int i = 0; i < kMany; ++i) EXPECT_TRUE(c.push(i));
  c.close();
  EXPECT_FALSE(c.push(1));
  EXPECT_EQ(reader.join(), kMany);
  EXPECT_FALSE(c.pop());
}

TEST_P(signals, channel_is_bounded) {
  ult::channel<std::unique_ptr<int>> c(2);
  EXPECT_FALSE(c.try_pop());
  EXPECT_TRUE(c.try_push(std::make_unique<int>(1)));
  EXPECT_TRUE(c.try_push(std::make_unique<int>(2)));
  EXPECT_FALSE(c.try_push(std::make_unique<int>(3)));
  auto t = ult::spawn([&] { return c.push(std::make_unique<int>(4)); });
  for (int i = 0; i < 10; ++i) ult::this_thread::yield();
  EXPECT_FALSE(t.ended());
  EXPECT_EQ(**c.pop(), 1);
  EXPECT_TRUE(t.join());
  EXPECT_EQ(c.size(), 2u);
  EXPECT_EQ(**c.try_pop(), 2);
  EXPECT_EQ(**c.pop(), 4);
}

TEST_P(signals, channel_takes_each_value_once) {
  ult::channel<int> c(3);
  std::vector<ult::thread<>> writers;
  std::vector<ult::thread<long>> readers;
  for (int i = 0; i < 10; ++i) {
    writers.push_back(ult::spawn([&, i] {
      for (int n = i; n < kMany; n += 10) c.push(n);
    }));
    readers.push_back(ult::spawn([&] {
      long sum = 0;
      while (auto v = c.pop()) sum += *v;
      return sum;
    }));
  }
  writers.clear();
  c.close();
  const long sum = std::accumulate(readers.begin(), readers.end(), 0l,
                                   [](long so_far, auto& t) { return so_far + t.join(); });
  EXPECT_EQ(sum, long{kMany} * (kMany - 1) / 2);
}

}  // namespace
