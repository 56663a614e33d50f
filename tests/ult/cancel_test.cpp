// SPDX-License-Identifier: Apache-2.0
// A thread that is cancelled leaves its wait, wherever it waits, and what it waited for is as if it
// had never come.
#include <atomic>

#include "workers.hpp"

namespace {

using namespace std::chrono_literals;

class cancelled_threads : public with_workers {};
RAMJET_WITH_WORKERS(cancelled_threads);

// Starts waiting, is cancelled there, and says whether `cancelled` came by.
template <class Wait>
void expect_cancellation(Wait&& wait) {
  std::atomic<int> stage{0};
  auto t = ult::spawn([&] {
    stage = 1;
    try {
      wait();
      stage = 2;
    } catch (const ult::cancelled&) {
      stage = 3;
      throw;
    }
  });
  ult::wait_until(ult::value(stage) != 0);
  for (int i = 0; i < 5; ++i) ult::this_thread::yield();
  t.cancel();
  EXPECT_THROW(t.join(), ult::cancelled);
  EXPECT_EQ(stage, 3);
}

TEST_P(cancelled_threads, in_a_condition) {
  int never = 0;
  expect_cancellation([&] { ult::wait_until(ult::value(never) == 1); });
  expect_cancellation([&] { ult::wait_until([&] { return never == 1; }); });
  expect_cancellation(
      [&] { ult::wait_any(ult::value(never) == 1, ult::value(never) > 5, ult::after(1h)); });
}

TEST_P(cancelled_threads, in_a_sleep) {
  expect_cancellation([] { ult::this_thread::sleep_for(1h); });
}

TEST_P(cancelled_threads, in_a_semaphore) {
  ult::semaphore s(0);
  expect_cancellation([&] { s.acquire(); });
  expect_cancellation([&] { static_cast<void>(s.try_acquire_for(1h)); });
  EXPECT_FALSE(s.try_acquire());
  s.release();  // for nobody
  EXPECT_TRUE(s.try_acquire());
  EXPECT_FALSE(s.try_acquire());
}

TEST_P(cancelled_threads, in_a_condition_variable_holding_the_mutex) {
  ult::mutex m;
  ult::condition_variable c;
  for (const bool timed : {false, true}) {
    bool held = false;
    expect_cancellation([&] {
      std::unique_lock hold(m);
      try {
        if (timed)
          c.wait_for(hold, 1h);
        else
          c.wait(hold);
      } catch (...) {
        held = !m.try_lock() && hold.owns_lock();
        throw;
      }
    });
    EXPECT_TRUE(held);
    EXPECT_TRUE(m.try_lock());
    m.unlock();
  }
}

TEST_P(cancelled_threads, in_a_barrier_do_not_count) {
  ult::barrier b(2);
  expect_cancellation([&] { b.arrive_and_wait(); });
  std::atomic<int> through{0};
  auto one = ult::spawn([&] {
    b.arrive_and_wait();
    ++through;
  });
  for (int i = 0; i < 20; ++i) ult::this_thread::yield();
  EXPECT_EQ(through, 0);
  b.arrive_and_wait();
  one.join();
  EXPECT_EQ(through, 1);
}

TEST_P(cancelled_threads, in_a_latch) {
  ult::latch l(1);
  expect_cancellation([&] { l.wait(); });
  l.count_down();
}

TEST_P(cancelled_threads, in_a_channel) {
  ult::channel<int> c(1);
  expect_cancellation([&] { static_cast<void>(c.pop()); });
  EXPECT_TRUE(c.push(1));
  expect_cancellation([&] { static_cast<void>(c.push(2)); });
  EXPECT_EQ(c.size(), 1u);
  EXPECT_EQ(c.pop(), 1);
}

TEST_P(cancelled_threads, where_they_look) {
  expect_cancellation([] {
    for (;;) {
      ult::this_thread::check_cancelled();
      ult::this_thread::yield();
    }
  });
}

TEST_P(cancelled_threads, before_they_start) {
  bool passed = false;
  auto t = ult::spawn({.worker = 0}, [&] {  // where this thread runs
    ult::this_thread::check_cancelled();
    passed = true;
  });
  t.cancel();
  EXPECT_THROW(t.join(), ult::cancelled);
  EXPECT_FALSE(passed);
}

TEST_P(cancelled_threads, after_their_end) {
  auto t = ult::spawn([] { return 1; });
  t.join();
  t.cancel();
  EXPECT_EQ(t.join(), 1);
}

TEST_P(cancelled_threads, once) {
  std::atomic<bool> go{false}, caught{false};
  auto t = ult::spawn([&] {
    try {
      ult::wait_until(ult::value(go) == true);
    } catch (const ult::cancelled&) {
      caught = true;
    }
    ult::wait_until(ult::value(go) == true);  // waits, as if nothing had been
    return 5;
  });
  ult::this_thread::yield();
  t.cancel();
  ult::wait_until(ult::value(caught) == true);
  go = true;
  EXPECT_EQ(t.join(), 5);
}

TEST_P(cancelled_threads, do_not_leave_a_mutex_early) {
  ult::mutex m;
  std::atomic<bool> got{false};
  m.lock();
  auto t = ult::spawn([&] {
    m.lock();  // no cancellation point
    got = true;
    m.unlock();
    ult::this_thread::check_cancelled();
  });
  for (int i = 0; i < 10; ++i) ult::this_thread::yield();
  t.cancel();
  for (int i = 0; i < 10; ++i) ult::this_thread::yield();
  EXPECT_FALSE(got);
  m.unlock();
  EXPECT_THROW(t.join(), ult::cancelled);
  EXPECT_TRUE(got);
}

}  // namespace
