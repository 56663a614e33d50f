// SPDX-License-Identifier: Apache-2.0
#include "launch/problem.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace {

using ramjet::launcher::out_of_files;
using ramjet::launcher::problem;

TEST(Problem, IsOneWhenItHasAStatus) {
  EXPECT_FALSE(problem{});
  EXPECT_TRUE((problem{1, "no"}));
}

TEST(OutOfFiles, SaysWhyAndWhatToRaise) {
  errno = EMFILE;
  const problem p = out_of_files("make a pipe");
  EXPECT_EQ(p.exit_status, 1);
  EXPECT_EQ(p.sentence,
            "cannot make a pipe: Too many open files; raise the limit of open files (ulimit -n)");
}

}  // namespace
