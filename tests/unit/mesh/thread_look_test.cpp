// SPDX-License-Identifier: Apache-2.0
// What /proc says of threads that compute, sleep, are stopped, and get no processor.
#include "mesh/thread_look.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <vector>

#include "base/clock.hpp"

namespace ramjet::mesh {
namespace {

constexpr std::uint64_t kPatienceNs = 60'000'000'000;

bool eventually(const std::function<bool()>& is_so) {
  for (const std::uint64_t end = base::now_ns() + kPatienceNs; base::now_ns() < end;) {
    if (is_so()) return true;
    ::usleep(2000);
  }
  return false;
}

struct thread_look_test : testing::Test {
  pid_t start(const std::function<void()>& what) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      what();
      ::_exit(0);
    }
    children.push_back(child);
    return child;
  }
  ~thread_look_test() override {
    for (const pid_t child : children) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  }
  static void compute() {
    for (;;) asm volatile("");
  }
  static void sleep_for_ever() {
    for (;;) ::pause();
  }
  static bool wants(pid_t pid) {
    thread_look now;
    return look_at(std::uint32_t(pid), now) && now.wants_processor;
  }

  std::vector<pid_t> children;
};

TEST_F(thread_look_test, one_that_computes_wants_a_processor) {
  EXPECT_TRUE(wants(start(compute)));
}

TEST_F(thread_look_test, one_that_sleeps_or_is_stopped_does_not) {
  const pid_t sleeper = start(sleep_for_ever), computes = start(compute);
  EXPECT_TRUE(eventually([&] { return !wants(sleeper); }));
  ::kill(computes, SIGSTOP);
  EXPECT_TRUE(eventually([&] { return !wants(computes); }));
}

TEST_F(thread_look_test, one_that_is_gone_is_not_shown) {
  const pid_t child = start([] {});
  ::waitpid(child, nullptr, 0);
  children.clear();
  thread_look now;
  EXPECT_FALSE(look_at(std::uint32_t(child), now));
  starvation_watch watch;
  EXPECT_FALSE(watch.is_starved(std::uint32_t(child)));
  EXPECT_FALSE(watch.is_starved(0));
}

TEST_F(thread_look_test, processes_of_one_machine_have_one_number) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  start([&] {
    const std::uint64_t number = this_machine();
    (void)!::write(pipe[1], &number, sizeof number);
  });
  std::uint64_t number = 0;
  ASSERT_EQ(::read(pipe[0], &number, sizeof number), ssize_t(sizeof number));
  EXPECT_EQ(number, this_machine());
  EXPECT_NE(number, 0u);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

// Of two threads on one processor, the one of policy IDLE gets next to nothing.
TEST_F(thread_look_test, one_that_gets_no_processor_is_starved) {
  cpu_set_t all, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  const pid_t hungry = start([&] {
    ::sched_setaffinity(0, sizeof one, &one);
    const sched_param none{};
    ::sched_setscheduler(0, SCHED_IDLE, &none);
    compute();
  });
  for (int i = 0; i < 4; ++i)
    start([&] {
      ::sched_setaffinity(0, sizeof one, &one);
      compute();
    });
  starvation_watch watch;
  EXPECT_TRUE(eventually([&] { return watch.is_starved(std::uint32_t(hungry)); }));
  ::kill(hungry, SIGSTOP);
  EXPECT_TRUE(eventually([&] { return !watch.is_starved(std::uint32_t(hungry)); }));
}

}  // namespace
}  // namespace ramjet::mesh
