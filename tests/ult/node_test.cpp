// SPDX-License-Identifier: Apache-2.0
// The mutex and the semaphore for memory that processes share.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>

#include "ramjet/ult.hpp"

namespace {

namespace ult = ramjet::ult;

struct shared {
  ult::node_mutex mutex;
  ult::node_semaphore there, back;
  std::uint64_t count = 0;  // guarded by mutex
};

shared& map_shared() {
  void* at =
      ::mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  return *static_cast<shared*>(at);  // zeroed memory is as good as constructed
}

// Runs f in a child, which has to end with status 0. Before this process has used the library.
template <class F>
pid_t fork_and_run(F f) {
  const pid_t child = ::fork();
  if (child == 0) {
    f();
    ::_exit(0);
  }
  return child;
}

bool ended_well(pid_t child) {
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void count_up(shared& s, int threads, int each) {
  std::vector<ult::thread<>> all;
  for (int t = 0; t < threads; ++t)
    all.push_back(ult::spawn([&s, each] {
      for (int i = 0; i < each; ++i) {
        s.mutex.lock();
        const std::uint64_t before = s.count;
        if (i % 8 == 0) ult::this_thread::yield();
        s.count = before + 1;
        s.mutex.unlock();
      }
    }));
}

// One after the other, each begun before this process has a scheduler: forks do not take its
// threads along.
TEST(node, processes_exclude_each_other_and_outlive_the_dead) {
  shared& s = map_shared();
  constexpr int kThreads = 4, kEach = 300, kTurns = 200;
  const pid_t counter = fork_and_run([&s] { count_up(s, kThreads, kEach); });
  const pid_t answerer = fork_and_run([&s] {
    for (int i = 0; i < kTurns; ++i) {
      s.there.acquire();
      s.back.release();
    }
  });
  shared& grave = map_shared();
  const pid_t holder = fork_and_run([&grave] {
    grave.mutex.lock();
    grave.there.release();
  });

  count_up(s, kThreads, kEach);
  ASSERT_TRUE(ended_well(counter));
  EXPECT_EQ(s.count, std::uint64_t{2 * kThreads * kEach});

  for (int i = 0; i < kTurns; ++i) {
    s.there.release();
    s.back.acquire();
  }
  ASSERT_TRUE(ended_well(answerer));
  EXPECT_FALSE(s.back.try_acquire());

  grave.there.acquire();
  ASSERT_TRUE(ended_well(holder));
  EXPECT_FALSE(grave.mutex.try_lock());
  EXPECT_FALSE(grave.mutex.lock()) << "it was taken over from the dead";
  grave.mutex.unlock();
  EXPECT_TRUE(grave.mutex.lock());
  grave.mutex.unlock();
}

}  // namespace
