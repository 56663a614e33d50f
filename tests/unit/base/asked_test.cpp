// SPDX-License-Identifier: Apache-2.0
// Who shares SIGUSR1, and that a program keeps its own way with it.
#include "base/asked.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

namespace {

using ramjet::base::ask_for_threads;
using ramjet::base::on_asked;
using ramjet::base::question;

int first = 0, second = 0, for_threads = 0, own = 0;
void tell_first(question what) { ++(what == question::threads ? for_threads : first); }
void tell_second(question) { ++second; }
void tell_third(question) {}
void on_own(int) { ++own; }

// One after the other: what is installed stays.
TEST(Asked, a_program_s_own_way_stays_and_all_who_tell_share_the_signal) {
  std::signal(SIGUSR1, SIG_IGN);
  EXPECT_FALSE(on_asked(tell_first));
  std::signal(SIGUSR1, on_own);
  EXPECT_FALSE(on_asked(tell_first));
  std::raise(SIGUSR1);
  EXPECT_EQ(own, 1);
  EXPECT_EQ(first, 0);

  std::signal(SIGUSR1, SIG_DFL);
  EXPECT_TRUE(on_asked(tell_first));
  EXPECT_TRUE(on_asked(tell_second));
  EXPECT_TRUE(on_asked(tell_first));
  EXPECT_FALSE(on_asked(tell_third));  // no place is left
  std::raise(SIGUSR1);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
  ask_for_threads(::getpid());
  EXPECT_EQ(first, 1);
  EXPECT_EQ(for_threads, 1);
  EXPECT_EQ(second, 2);
}

}  // namespace
