// SPDX-License-Identifier: Apache-2.0
// Who is on one machine with whom.
#include "job/pmix/machines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using ramjet::job::identify_machine;
using ramjet::job::number_machines;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Machines, are_numbered_by_their_lowest_ranks) {
  EXPECT_THAT(number_machines({}), IsEmpty());
  EXPECT_THAT(number_machines({"b"}), ElementsAre(0));
  EXPECT_THAT(number_machines({"b", "a", "b", "c", "a", "c"}), ElementsAre(0, 1, 0, 2, 1, 2));
}

std::string identity() {
  std::string text, message;
  EXPECT_TRUE(identify_machine(text, message)) << message;
  return text;
}

TEST(Machines, processes_beside_each_other_are_on_one) {
  const std::string here = identity();
  EXPECT_NE(here, "");
  const pid_t child = fork();
  if (child == 0) _exit(identity() == here ? 0 : 1);
  int ended = -1;
  ASSERT_EQ(waitpid(child, &ended, 0), child);
  EXPECT_EQ(ended, 0);
}

TEST(Machines, another_network_is_another_machine) {
  const std::string here = identity();
  constexpr int kNotAllowed = 7;
  const pid_t child = fork();
  if (child == 0) {
    if (unshare(CLONE_NEWNET) != 0) _exit(kNotAllowed);
    _exit(identity() != here ? 0 : 1);
  }
  int ended = -1;
  ASSERT_EQ(waitpid(child, &ended, 0), child);
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == kNotAllowed)
    GTEST_SKIP() << "network namespaces are not permitted here";
  EXPECT_EQ(ended, 0);
}

}  // namespace
