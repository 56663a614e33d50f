// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using ramjet::launcher::launch;
using ramjet::launcher::launch_options;
using testing::UnorderedElementsAre;

struct Captured {
  std::vector<std::string> lines;
  int exit_status;
};

Captured run(unsigned ranks, const std::string& script) {
  launch_options options;
  options.command = {"sh", "-c", script};
  options.ranks = ranks;
  options.forward_input = false;
  options.policy = ramjet::node::failure_policy::carry_on;
  Captured captured;
  options.on_stdout = [&](int rank, std::string_view line) {
    captured.lines.push_back(std::to_string(rank) + "=" + std::string(line));
  };
  captured.exit_status = launch(options);
  return captured;
}

std::size_t open_files() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

TEST(Launch, CapturesTheLinesOfEveryRank) {
  const Captured c = run(3, "echo out $RAMJET_RANK; printf tail; exit 4");
  EXPECT_EQ(c.exit_status, 4);
  EXPECT_THAT(c.lines,
              UnorderedElementsAre("0=out 0", "0=tail", "1=out 1", "1=tail", "2=out 2", "2=tail"));
}

TEST(Launch, RanksReadNothingWithoutForwardedInput) {
  EXPECT_THAT(run(1, "cat; echo end; exit 1").lines, UnorderedElementsAre("0=end"));
}

TEST(Launch, RefusesImpossibleOptions) {
  launch_options options;
  EXPECT_EQ(launch(options), 2);  // no program
  options.command = {"true"};
  options.ranks = 0;
  EXPECT_EQ(launch(options), 2);
  options.ranks = 1;
  options.command = {"no-such-program"};
  EXPECT_EQ(launch(options), 127);
}

TEST(Launch, LeavesTheProcessAsItWas) {
  run(1, "exit 1");  // the first one may open files for good, as the C library does
  const std::size_t files = open_files();
  sigset_t mask_before, mask_after;
  ::sigprocmask(SIG_SETMASK, nullptr, &mask_before);
  for (int i = 0; i < 3; ++i) run(2, "(sleep 100 &) ; exit 1");
  EXPECT_EQ(open_files(), files);
  ::sigprocmask(SIG_SETMASK, nullptr, &mask_after);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1}) {
    EXPECT_EQ(::sigismember(&mask_after, signal), ::sigismember(&mask_before, signal)) << signal;
  }
  int subreaper = 1;
  if (::prctl(PR_GET_CHILD_SUBREAPER, &subreaper) == 0) {  // qemu's user mode does not answer it
    EXPECT_EQ(subreaper, 0);
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // no child is left, dead or alive
}

TEST(Launch, LeavesOtherChildrenAlone) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  run(2, "exit 1");
  EXPECT_EQ(::waitpid(child, nullptr, WNOHANG), 0);  // it lives
  ::kill(child, SIGKILL);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
}

}  // namespace
