// SPDX-License-Identifier: Apache-2.0
// Who shares SIGUSR1, and that a program keeps its own way with it.
#include "base/report_request.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace {

using ramjet::base::ask;
using ramjet::base::on_report_request;
using ramjet::base::question;

int first = 0, second = 0, for_threads = 0, own = 0;
void report_first(question what) { ++(what == question::threads ? for_threads : first); }
void report_second(question) { ++second; }
void report_third(question) {}
void on_own(int) { ++own; }

// The thread sanitizer puts off a signal that is not raised to the next call that may wait.
void await(const int& count, int wanted) {
  while (count < wanted) ::usleep(100);
}

// One after the other: what is installed stays.
TEST(Asked, a_program_s_own_way_stays_and_all_who_tell_share_the_signal) {
  std::signal(SIGUSR1, SIG_IGN);
  EXPECT_FALSE(on_report_request(report_first));
  std::signal(SIGUSR1, on_own);
  EXPECT_FALSE(on_report_request(report_first));
  std::raise(SIGUSR1);
  EXPECT_EQ(own, 1);
  EXPECT_EQ(first, 0);

  std::signal(SIGUSR1, SIG_DFL);
  EXPECT_TRUE(on_report_request(report_first));
  EXPECT_TRUE(on_report_request(report_second));
  EXPECT_TRUE(on_report_request(report_first));
  EXPECT_FALSE(on_report_request(report_third));  // there are two
  std::raise(SIGUSR1);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
  ask(question::threads, -1, ::getpid());
  await(second, 2);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(for_threads, 1);
  EXPECT_EQ(second, 2);
  const int self = int(::syscall(SYS_pidfd_open, ::getpid(), 0));
  if (self < 0) GTEST_SKIP() << "no pidfd here";
  ask(question::threads, self, -1);
  await(second, 3);
  EXPECT_EQ(for_threads, 2);
  ::close(self);
  // One that is gone has no number any more that others could have got.
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  const int gone = int(::syscall(SYS_pidfd_open, child, 0));
  ::waitpid(child, nullptr, 0);
  ask(question::threads, gone, ::getpid());
  EXPECT_EQ(for_threads, 2);
  EXPECT_EQ(first, 1);
  ::close(gone);
}

}  // namespace
