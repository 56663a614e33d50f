// SPDX-License-Identifier: Apache-2.0
// What is used before the scheduler has started, and workers that are started again.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "ramjet/ult.hpp"

namespace {

namespace ult = ramjet::ult;

// First in this file: nothing of the library has been used before.
TEST(Starting, AMutexMayBeWhatIsUsedFirst) {
  ASSERT_EQ(ult::workers(), 0u);
  ult::mutex plain;
  ult::recursive_mutex nested;
  plain.lock();
  nested.lock();
  bool was_free = true;
  ult::spawn([&] { was_free = plain.try_lock() || nested.try_lock(); }).join();
  EXPECT_FALSE(was_free);
  plain.unlock();
  nested.unlock();
  const auto take = [&] {
    was_free = plain.try_lock() && nested.try_lock();
    nested.unlock();
    plain.unlock();
  };
  ult::spawn(take).join();
  EXPECT_TRUE(was_free);
}

// Threads of worker 0 end at worker 1, which is idle, and are counted there.
TEST(Starting, AgainAfterThreadsHaveMoved) {
  std::atomic<bool> moved{false};
  for (int round = 0; round < 100 && !moved; ++round) {
    ult::start({.workers = 2});
    {
      std::vector<ult::thread<>> threads;
      for (int i = 0; i < 500; ++i)
        threads.push_back(ult::spawn([&moved] {
          for (int k = 0; k < 1000 && !moved; ++k) ult::this_thread::yield();
          if (ult::this_thread::worker() == 1) moved = true;
        }));
    }
    ult::stop();
  }
  EXPECT_TRUE(moved);
  ult::start({.workers = 2});
  ult::stop();
}

}  // namespace
