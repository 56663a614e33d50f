// SPDX-License-Identifier: Apache-2.0
// Mutual exclusion: mutex, recursive_mutex, shared_mutex, unowned_mutex, once.
#include <mutex>
#include <vector>

#include "ult/parts.hpp"
#include "workers.hpp"

namespace {

using namespace std::chrono_literals;

class locks : public with_workers {};
RAMJET_WITH_WORKERS(locks);

constexpr int kThreads = kSanitized ? 100 : 1000;

// Threads that enter again and again, and yield inside. The counts are plain.
template <class Lock>
void expect_exclusion(Lock&& with_lock) {
  constexpr int kTimes = kSanitized ? 20 : 100;
  long count = 0;
  int inside = 0;
  std::atomic<int> broken{0};
  std::vector<ult::thread<>> all;
  for (int i = 0; i < kThreads; ++i)
    all.push_back(ult::spawn([&, i] {
      for (int n = 0; n < kTimes; ++n) {
        with_lock([&] {
          if (inside++ != 0) ++broken;
          if ((n + i) % 7 == 0) ult::this_thread::yield();
          if (inside-- != 1) ++broken;
          ++count;
        });
        if (n % 11 == 0) ult::this_thread::yield();
      }
    }));
  all.clear();
  EXPECT_EQ(count, long{kThreads} * kTimes);
  EXPECT_EQ(broken, 0);
}

TEST_P(locks, mutex_excludes) {
  ult::mutex m;
  expect_exclusion([&](auto&& work) {
    const std::lock_guard hold(m);
    work();
  });
}

TEST_P(locks, mutex_excludes_tries) {
  ult::mutex m;
  expect_exclusion([&](auto&& work) {
    while (!m.try_lock()) ult::this_thread::yield();
    work();
    m.unlock();
  });
}

TEST_P(locks, mutex_excludes_timed_tries) {
  ult::mutex m;
  expect_exclusion([&](auto&& work) {
    while (!m.try_lock_for(50us)) ult::this_thread::yield();
    work();
    m.unlock();
  });
}

TEST_P(locks, recursive_mutex_excludes) {
  ult::recursive_mutex m;
  expect_exclusion([&](auto&& work) {
    const std::lock_guard outer(m);
    const std::lock_guard inner(m);
    work();
  });
}

TEST_P(locks, shared_mutex_excludes_writers) {
  ult::shared_mutex m;
  expect_exclusion([&](auto&& work) {
    m.lock();
    work();
    m.unlock();
  });
}

TEST_P(locks, semaphore_of_one_excludes) {
  ult::semaphore s(1);
  expect_exclusion([&](auto&& work) {
    s.acquire();
    work();
    s.release();
  });
}

TEST_P(locks, unowned_mutex_excludes) {
  ult::unowned_mutex m;
  expect_exclusion([&](auto&& work) {
    const std::lock_guard hold(m);
    work();
  });
}

// SCALE Suite 1997, Table 1: ten threads, each blocked on a mutex and each able to unblock the next
// thread's mutex.
TEST_P(locks, unowned_mutex_is_unlocked_by_any_thread) {
  constexpr std::size_t kRing = 10, kRounds = 100;
  ult::unowned_mutex blocked[kRing];
  for (auto& m : blocked) m.lock();
  std::size_t turns = 0;
  std::vector<ult::thread<>> all;
  for (std::size_t i = 0; i < kRing; ++i)
    all.push_back(ult::spawn([&, i] {
      for (std::size_t n = 0; n < kRounds; ++n) {
        blocked[i].lock();
        EXPECT_EQ(turns++ % kRing, i);
        blocked[(i + 1) % kRing].unlock();
      }
    }));
  blocked[0].unlock();
  all.clear();
  EXPECT_EQ(turns, kRing * kRounds);
  EXPECT_TRUE(blocked[0].try_lock());
  EXPECT_FALSE(blocked[0].try_lock());
}

TEST_P(locks, unowned_mutex_tries_end_in_time) {
  ult::unowned_mutex m;
  m.lock();
  EXPECT_FALSE(m.try_lock_for(1ms));
  auto unlocks = ult::spawn([&] { m.unlock(); });
  EXPECT_TRUE(m.try_lock_for(1h));
  unlocks.join();
  m.unlock();
  EXPECT_TRUE(m.try_lock());
}

// Threads meet at every mutex for the first time: its first unlock is a plain store, or, where the
// system grants no barrier, it is not.
void expect_first_meetings() {
  constexpr int kMutexes = kSanitized ? 200 : 400;
  struct one {
    ult::mutex m;
    int count = 0;
  };
  std::vector<one> all(kMutexes);
  std::atomic<int> arrived{0};
  std::vector<ult::thread<>> threads;
  constexpr int kSides = 2;
  for (int side = 0; side < kSides; ++side)
    threads.push_back(ult::spawn({.worker = int(unsigned(side) % ult::workers())}, [&] {
      for (int i = 0; i < kMutexes; ++i) {
        ++arrived;
        yield_until([&] { return arrived >= kSides * (i + 1); });
        for (int n = 0; n < 20; ++n) {
          const std::lock_guard hold(all[unsigned(i)].m);
          ++all[unsigned(i)].count;
        }
      }
    }));
  threads.clear();
  for (const one& o : all) ASSERT_EQ(o.count, 20 * kSides);
}

TEST_P(locks, threads_meet_at_many_mutexes) { expect_first_meetings(); }

#if !defined(__SANITIZE_THREAD__)  // the mode is changed under the workers' eyes
TEST_P(locks, threads_meet_at_many_mutexes_without_a_barrier) {
  using namespace ult::detail;
  if (worker_mode != many_workers) GTEST_SKIP() << "with several workers only";
  worker_mode = many_without_barrier;
  expect_first_meetings();
  worker_mode = many_workers;
}
#endif

TEST_P(locks, mutex_is_handed_over_in_order) {
  ult::mutex m;
  std::vector<int> order;
  std::vector<ult::thread<>> all;
  m.lock();
  std::atomic<int> coming{0};
  for (int i = 0; i < 20; ++i) {
    const ult::attributes there{.worker = int(unsigned(i) % GetParam())};
    all.push_back(ult::spawn(there, [&, i] {
      ++coming;
      const std::lock_guard hold(m);
      order.push_back(i);
    }));
    ult::wait_until(ult::value(coming) == i + 1);
    ult::spawn(there, [] {}).join();  // runs there once the other has queued
  }
  EXPECT_TRUE(order.empty());
  m.unlock();
  EXPECT_FALSE(m.try_lock());  // the first one has it already
  all.clear();
  ASSERT_EQ(order.size(), 20u);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(order[unsigned(i)], i);
}

TEST_P(locks, mutex_tries_end_in_time) {
  ult::mutex m;
  m.lock();
  std::atomic<bool> tried{false};
  auto t = ult::spawn([&] {
    EXPECT_FALSE(m.try_lock());
    EXPECT_FALSE(m.try_lock_for(-1ms));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(m.try_lock_for(5ms));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 5ms);
    tried = true;
    return m.try_lock_for(1h);
  });
  ult::wait_until(ult::value(tried) == true);
  ult::this_thread::sleep_for(15ms);
  m.unlock();
  EXPECT_TRUE(t.join());  // it went without giving the mutex back
}

TEST_P(locks, mutex_passes_who_gave_up) {
  ult::mutex m;
  m.lock();
  std::atomic<bool> queued{false};
  auto quitter = ult::spawn([&] {
    queued = true;
    return m.try_lock_for(10ms);
  });
  ult::wait_until(ult::value(queued) == true);
  ult::this_thread::sleep_for(1ms);
  auto patient = ult::spawn([&] {
    const std::lock_guard hold(m);
    return true;
  });
  EXPECT_FALSE(quitter.join());
  m.unlock();
  EXPECT_TRUE(patient.join());
  EXPECT_TRUE(m.try_lock());
  m.unlock();
}

// Numbers of threads come again after 2^31 of them; here at once.
TEST_P(locks, know_threads_of_the_same_number_apart) {
  ult::recursive_mutex recursive;
  ult::mutex plain;
  ult::shared_mutex shared;
  recursive.lock();
  plain.lock();
  shared.lock();
  auto* w = ult::detail::this_worker();
  const std::uint64_t next = w->next_identity;
  w->next_identity = ult::detail::identity_word(*w->self->who);
  auto other = ult::spawn([&] {
    EXPECT_FALSE(recursive.try_lock());
    EXPECT_FALSE(plain.try_lock());
    const std::lock_guard first(plain);
    const std::lock_guard second(shared);
  });
  EXPECT_EQ(other.id(), ult::this_thread::id());
  w->next_identity = next;
  for (int i = 0; i < 100; ++i) ult::this_thread::yield();  // it tries, and waits
  plain.unlock();
  shared.unlock();
  other.join();
  recursive.unlock();
}

TEST_P(locks, recursive_mutex_counts) {
  ult::recursive_mutex m;
  m.lock();
  EXPECT_TRUE(m.try_lock());
  EXPECT_TRUE(m.try_lock_for(1ms));
  const auto others_try = [&] {
    return ult::spawn([&] {
             const bool got = m.try_lock();
             if (got) m.unlock();
             return got;
           })
        .join();
  };
  for (int depth = 3; depth > 0; --depth) {
    EXPECT_FALSE(others_try());
    m.unlock();
  }
  EXPECT_TRUE(others_try());
}

TEST_P(locks, shared_mutex_lets_readers_in_together) {
  ult::shared_mutex m;
  std::atomic<int> inside{0}, most{0};
  std::atomic<bool> go{false};
  std::vector<ult::thread<>> all;
  for (int i = 0; i < 10; ++i)
    all.push_back(ult::spawn([&] {
      m.lock_shared();
      most = std::max(most.load(), ++inside);
      ult::wait_until(ult::value(go) == true);
      --inside;
      m.unlock_shared();
    }));
  ult::wait_until(ult::value(inside) == 10);
  EXPECT_FALSE(m.try_lock());
  EXPECT_TRUE(m.try_lock_shared());
  auto writer = ult::spawn([&] {
    m.lock();
    const int there = inside;
    m.unlock();
    return there;
  });
  yield_until([&] {  // until the writer waits: no reader may pass it
    if (!m.try_lock_shared()) return true;
    m.unlock_shared();
    return false;
  });
  go = true;
  m.unlock_shared();
  EXPECT_EQ(writer.join(), 0);
  all.clear();
  EXPECT_TRUE(m.try_lock());
  EXPECT_FALSE(m.try_lock_shared());
  m.unlock();
}

TEST_P(locks, shared_mutex_keeps_readers_and_writers_apart) {
  ult::shared_mutex m;
  std::array<long, 4> values{};  // all the same, between writers
  std::atomic<int> torn{0};
  std::vector<ult::thread<>> all;
  for (int i = 0; i < 200; ++i)
    all.push_back(ult::spawn([&, i] {
      for (int n = 0; n < 20; ++n) {
        if (i % 4 == 0) {
          m.lock();
          for (long& v : values) {
            ++v;
            if (n % 5 == 0) ult::this_thread::yield();
          }
          m.unlock();
        } else {
          m.lock_shared();
          const long first = values[0];
          ult::this_thread::yield();
          for (const long v : values) torn += v != first;
          m.unlock_shared();
        }
      }
    }));
  all.clear();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(values[3], 1000);
}

TEST_P(locks, once_is_once) {
  ult::once_flag flag;
  std::atomic<int> tried{0};
  int done = 0;
  std::vector<ult::thread<bool>> all;
  for (int i = 0; i < 50; ++i)
    all.push_back(ult::spawn([&] {
      try {
        ult::call_once(
            flag,
            [&](int by) {
              ult::this_thread::yield();
              if (++tried < 4) throw 1;
              done += by;
            },
            5);
      } catch (int) {
        return true;
      }
      EXPECT_EQ(done, 5);
      return false;
    }));
  int threw = 0;
  for (auto& t : all) threw += t.join();
  EXPECT_EQ(threw, 3);
  EXPECT_EQ(tried, 4);
  EXPECT_EQ(done, 5);
}

}  // namespace
