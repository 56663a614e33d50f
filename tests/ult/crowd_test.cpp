// SPDX-License-Identifier: Apache-2.0
// Very many threads, all of them alive and blocked at once.
#include <memory>
#include <vector>

#include "workers.hpp"

namespace {

class crowd : public with_workers {};
RAMJET_WITH_WORKERS(crowd);

#if defined(__SANITIZE_THREAD__)
constexpr int kThreads = 2000;
#elif defined(__SANITIZE_ADDRESS__)
constexpr int kThreads = 10'000;
#else
constexpr int kThreads = 100'000;
#endif

TEST_P(crowd, blocks_and_goes_on) {
  ult::semaphore gate(0);
  std::atomic<int> waiting{0};
  std::atomic<long> sum{0};
  std::vector<ult::thread<int>> all;
  all.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i)
    all.push_back(ult::spawn([&, i] {
      volatile int mine[8] = {i, i, i, i, i, i, i, i};  // its stack is its own
      ++waiting;
      gate.acquire();
      for (const volatile int& m : mine) sum += m;
      return i;
    }));
  ult::wait_until(ult::value(waiting) == kThreads);
  for (int i = 0; i < kThreads; ++i) gate.release();
  for (int i = 0; i < kThreads; ++i) ASSERT_EQ(all[std::size_t(i)].join(), i);
  EXPECT_EQ(sum, 8l * kThreads * (kThreads - 1) / 2);
}

TEST_P(crowd, waits_for_one_variable) {
  constexpr int kFewer = kThreads / 10;
  std::atomic<int> go{0}, waiting{0}, through{0};
  std::vector<ult::thread<>> all;
  for (int i = 0; i < kFewer; ++i)
    all.push_back(ult::spawn([&] {
      ++waiting;
      ult::wait_until(ult::value(go) == 1);
      ++through;
    }));
  ult::wait_until(ult::value(waiting) == kFewer);
  EXPECT_EQ(through, 0);
  go = 1;
  all.clear();
  EXPECT_EQ(through, kFewer);
}

// Each joins the one before it.
TEST_P(crowd, joins_in_a_chain) {
  constexpr int kLength = kThreads / 4;
  std::vector<std::unique_ptr<ult::thread<long>>> all;
  ult::latch start(1);
  for (int i = 0; i < kLength; ++i) {
    const ult::thread<long>* before = all.empty() ? nullptr : all.back().get();
    all.push_back(std::make_unique<ult::thread<long>>(ult::spawn([before, &start] {
      if (before != nullptr) return before->join() + 1;
      start.wait();
      return 0l;
    })));
  }
  ult::this_thread::yield();
  start.count_down();
  EXPECT_EQ(all.back()->join(), kLength - 1);
}

// Made and ended in turns, from everywhere: blocks and stacks go round between the workers.
TEST_P(crowd, comes_and_goes) {
  constexpr int kRounds = kSanitized ? 5 : 50;
  std::vector<ult::thread<>> makers;
  std::atomic<long> ended{0};
  for (int m = 0; m < 8; ++m)
    makers.push_back(ult::spawn([&] {
      for (int round = 0; round < kRounds; ++round) {
        std::vector<ult::thread<>> few;
        for (int i = 0; i < 500; ++i)
          few.push_back(ult::spawn([&] {
            ult::this_thread::yield();
            ++ended;
          }));
      }
    }));
  makers.clear();
  EXPECT_EQ(ended, 8l * kRounds * 500);
}

}  // namespace
