// SPDX-License-Identifier: Apache-2.0
#include "frontend/team.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <string>

namespace {

using frontend::team;

TEST(team, does_each_task_once) {
  for (const std::size_t threads : {1, 2, 4}) {
    team all(threads);
    EXPECT_EQ(all.size(), threads);
    for (std::size_t count = 0; count < 40; ++count) {
      std::vector<int> done(count);
      all.run(count, [&](std::size_t i) { ++done[i]; });
      EXPECT_EQ(done, std::vector<int>(count, 1));
    }
  }
}

TEST(team, of_one_works_in_the_callers_thread) {
  team alone(1);
  std::string order;
  const auto caller = std::this_thread::get_id();
  alone.run(3, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order += std::to_string(i);
  });
  EXPECT_EQ(order, "012");
}

TEST(team, works_at_the_same_time) {
  team two(2);
  std::mutex mutex;
  std::condition_variable both;
  int there = 0;
  two.run(2, [&](std::size_t) {  // neither ends before the other one has begun
    std::unique_lock lock(mutex);
    ++there;
    both.notify_all();
    both.wait(lock, [&] { return there == 2; });
  });
  EXPECT_EQ(there, 2);
}

TEST(team, throws_what_the_first_task_threw_when_all_have_ended) {
  for (const std::size_t threads : {1, 3}) {
    team all(threads);
    std::vector<int> done(20);
    const auto work = [&](std::size_t i) {
      done[i] = 1;
      if (i % 7 == 5) throw std::runtime_error(std::to_string(i));
    };
    try {
      all.run(done.size(), work);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& first) {
      EXPECT_STREQ(first.what(), "5");
    }
    EXPECT_EQ(done, std::vector<int>(20, 1));
    all.run(1, [&](std::size_t) { done[0] = 2; });
    EXPECT_EQ(done[0], 2);
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they map what they like

// While it lives, there is address space for one more thread and a half.
class few_threads {
 public:
  few_threads() {
    pthread_getattr_default_np(&usual_);
    pthread_attr_t large = usual_;
    pthread_attr_setstacksize(&large, kStackBytes);
    pthread_setattr_default_np(&large);
    getrlimit(RLIMIT_AS, &free_);
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t used = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    const rlimit limit{used + kStackBytes + kStackBytes / 2, free_.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
  }
  ~few_threads() {
    setrlimit(RLIMIT_AS, &free_);
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&usual_);
  }
  few_threads(const few_threads&) = delete;
  few_threads& operator=(const few_threads&) = delete;

 private:
  static constexpr std::size_t kStackBytes = 1024 * 1024 * 1024;
  pthread_attr_t usual_;
  rlimit free_;
};

TEST(team, has_as_many_threads_as_the_system_makes) {
  const few_threads limited;
  team some(4);
  EXPECT_EQ(some.size(), 2U);
  std::vector<int> done(20);
  some.run(done.size(), [&](std::size_t i) { ++done[i]; });
  EXPECT_EQ(done, std::vector<int>(20, 1));
}

#endif

}  // namespace
