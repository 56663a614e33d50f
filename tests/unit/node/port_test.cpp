// SPDX-License-Identifier: Apache-2.0
// A port's life: unopened, open, closed. Senders read it while its owner opens it: one of the two
// goes instruction by instruction here, and the other acts as a whole in between.
#include "ramjet/detail/node/port_line.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <new>

namespace {

using namespace ramjet::detail;

TEST(port, is_closed_only_after_it_was_open) {
  port_line port{};
  EXPECT_FALSE(was_opened(port));
  EXPECT_FALSE(is_closed(port));
  EXPECT_TRUE(open_port(port, kOpen));
  EXPECT_TRUE(was_opened(port));
  EXPECT_FALSE(is_closed(port));
  close_port(port);
  EXPECT_TRUE(is_closed(port));
}

TEST(port, is_opened_once) {
  port_line port{};
  EXPECT_TRUE(open_port(port, kOpenCoprocessor));
  EXPECT_FALSE(open_port(port, kOpen));
  EXPECT_EQ(port.state.load(), kOpenCoprocessor);
  close_port(port);
  EXPECT_FALSE(open_port(port, kOpen));
  EXPECT_TRUE(is_closed(port));
}

class port_in_steps : public testing::Test {
 protected:
  // What the process that goes in steps shares with the test.
  struct stage {
    port_line port;
    volatile bool begun, ended, seen_closed;
  };

  void SetUp() override {
    void* const memory =
        ::mmap(nullptr, sizeof(stage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    shared = new (memory) stage{};
  }
  void TearDown() override { ::munmap(shared, sizeof(stage)); }

  // A child runs body(), one instruction at a time; between(n) is called before its first, n = 0,
  // and after each. False where the system lets nobody do so.
  template <class Body, class Between>
  bool step_through(Body body, Between between) {
    new (shared) stage{};
    const pid_t child = ::fork();
    if (child == 0) {
      if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(1);
      ::raise(SIGSTOP);
      shared->begun = true;
      body();
      shared->ended = true;
      ::_exit(0);
    }
    int how = 0;
    unsigned steps = 0;
    while (::waitpid(child, &how, 0) == child && WIFSTOPPED(how)) {
      if (shared->begun && !shared->ended) between(steps++);
      if (::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) break;
    }
    return steps != 0 && WIFEXITED(how) && WEXITSTATUS(how) == 0;
  }

  stage* shared = nullptr;
};

TEST_F(port_in_steps, never_looks_closed_while_its_owner_opens_it) {
  unsigned before = 0, after = 0;
  const bool ran = step_through([this] { open_port(shared->port, kOpen); },
                                [&](unsigned step) {
                                  EXPECT_FALSE(is_closed(shared->port)) << "step " << step;
                                  ++(was_opened(shared->port) ? after : before);
                                });
  if (!ran) GTEST_SKIP() << "no process can be traced here";
  EXPECT_NE(before, 0u);
  EXPECT_NE(after, 0u);
}

TEST_F(port_in_steps, never_looks_closed_to_a_sender_whom_the_opening_overtakes) {
  unsigned steps = 1;
  for (unsigned overtaken = 0; overtaken < steps; ++overtaken) {
    steps = 0;
    const bool ran = step_through([this] { shared->seen_closed = is_closed(shared->port); },
                                  [&](unsigned step) {
                                    if (step == overtaken) open_port(shared->port, kOpen);
                                    steps = step + 1;
                                  });
    if (!ran) GTEST_SKIP() << "no process can be traced here";
    EXPECT_FALSE(shared->seen_closed) << "opened after step " << overtaken << " of " << steps;
  }
  EXPECT_GT(steps, 2u);
}

}  // namespace
