// SPDX-License-Identifier: Apache-2.0
// Programs' own loops that yield, or try, until another worker or process has done something, where
// both share one core: they yield it now and then. Turns of such loops are counted; a loop that
// keeps its core until the system takes it away makes millions of them.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <new>

#include "../harness/one_processor.hpp"
#include "ramjet/ult/node.hpp"
#include "workers.hpp"

namespace {

constexpr int kHandOvers = 100;
constexpr long kTurnsEach = 100'000;  // between two hand-overs, on average

// Two sides give each other the turn: wait_and_give(side, turns) ends once it was this side's turn
// and has become the other's; it adds the turns of its loop.
using hand_over = std::function<void(int side, long& turns)>;

void expect_few_turns(const hand_over& wait_and_give) {
  long turns[2] = {0, 0};
  const auto play = [&](int side) {
    for (int i = 0; i < kHandOvers; ++i) wait_and_give(side, turns[side]);
  };
  {
    auto first = ult::spawn({.worker = 0}, play, 0);
    auto second = ult::spawn({.worker = 1}, play, 1);
  }
  EXPECT_LT(turns[0] + turns[1], 2 * kHandOvers * kTurnsEach);
}

class polling : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(here_.holds()); }
  void TearDown() override { ult::stop(); }

 private:
  const harness::on_one_processor here_;
};

TEST_F(polling, by_yield_lets_another_worker_go_on) {
  ult::start({.workers = 2});
  std::atomic<int> whose{0};
  expect_few_turns([&](int side, long& turns) {
    for (; whose != side; ++turns) ult::this_thread::yield();
    whose = 1 - side;
  });
}

// The worker watches, too: a condition is posted, and does not hold.
TEST_F(polling, by_yield_beside_a_posted_condition) {
  ult::start({.workers = 2});
  std::atomic<int> whose{0}, over{0};
  auto waits = ult::spawn({.worker = 0}, [&] { ult::wait_until(ult::value(over) == 1); });
  expect_few_turns([&](int side, long& turns) {
    for (; whose != side; ++turns) ult::this_thread::yield();
    whose = 1 - side;
  });
  over = 1;
}

TEST_F(polling, by_try_lock) {
  ult::start({.workers = 2});
  ult::mutex held;
  std::atomic<int> whose{0};
  expect_few_turns([&](int side, long& turns) {
    for (bool mine = false; !mine; ++turns) {
      if (!held.try_lock()) continue;
      mine = whose == side;
      if (mine) whose = 1 - side;
      held.unlock();
      if (!mine) ult::this_thread::yield();
    }
  });
}

TEST_F(polling, by_try_acquire) {
  ult::start({.workers = 2});
  ult::semaphore units[2]{ult::semaphore(1), ult::semaphore(0)};
  expect_few_turns([&](int side, long& turns) {
    while (!units[side].try_acquire()) ++turns;
    units[1 - side].release();
  });
}

TEST_F(polling, by_try_pop) {
  ult::start({.workers = 2});
  ult::channel<int> to[2]{ult::channel<int>(1), ult::channel<int>(1)};
  ASSERT_TRUE(to[0].try_push(1));
  expect_few_turns([&](int side, long& turns) {
    while (!to[side].try_pop()) ++turns;
    EXPECT_TRUE(to[1 - side].try_push(1));
  });
}

// Processes that are not workers, and a semaphore that they share.
TEST_F(polling, by_try_acquire_between_processes) {
  void* const memory =
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* const units = new (memory) ult::node_semaphore[2];
  units[0].release();
  long turns = 0;
  const auto play = [&](int side) {
    for (int i = 0; i < kHandOvers; ++i) {
      for (; !units[side].try_acquire(); ++turns) ult::this_thread::yield();
      units[1 - side].release();
    }
  };
  const pid_t child = ::fork();
  if (child == 0) {
    play(1);
    ::_exit(turns < kHandOvers * kTurnsEach ? 0 : 1);
  }
  play(0);
  int how = 0;
  ASSERT_EQ(::waitpid(child, &how, 0), child);
  EXPECT_TRUE(WIFEXITED(how) && WEXITSTATUS(how) == 0);
  EXPECT_LT(turns, kHandOvers * kTurnsEach);
  ::munmap(memory, 4096);
}

}  // namespace
