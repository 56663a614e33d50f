// SPDX-License-Identifier: Apache-2.0
// Processes that end, and what those who watch them write on the board.
#include "report/watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <string>
#include <vector>

namespace {

using namespace ramjet::report;
using testing::SizeIs;

constexpr int kPatienceMs = 20'000;

// A board of which this process is rank 0, and the others are its children.
class Watch : public testing::Test {
 protected:
  void make_job(unsigned ranks, std::vector<std::uint16_t> node_of) {
    void* memory = mmap(nullptr, board_bytes(ranks), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    job.shared = format_board(memory, ranks, failure_policy::carry_on, 0);
    job.ranks = ranks;
    job.nodes = 1;
    for (auto node : node_of) job.nodes = std::max(job.nodes, unsigned(node) + 1);
    job.node_of = std::move(node_of);
    for (unsigned r = 1; r < ranks; ++r) children.push_back(make_child(r));
  }
  ~Watch() override {
    for (pid_t child : children) end(child);
    if (job.shared != nullptr) munmap(static_cast<void*>(job.shared), board_bytes(job.ranks));
  }

  pid_t make_child(unsigned rank) {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) pause();
    }
    job.line(rank).pid.store(std::uint32_t(child));
    set_state(rank, rank_state::joined);
    return child;
  }
  static void end(pid_t& child) {
    if (child <= 0) return;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    child = 0;
  }
  // Ends the process, and leaves it as it is seen by those who are not its parent.
  static void end_unreaped(pid_t child) {
    kill(child, SIGKILL);
    siginfo_t ended;
    waitid(P_PID, id_t(child), &ended, WEXITED | WNOWAIT);
  }
  void set_state(unsigned rank, rank_state s) { job.line(rank).state.store(std::uint32_t(s)); }
  rank_state state(unsigned rank) { return rank_state(job.line(rank).state.load()); }
  static bool is_readable(int descriptor, int timeout_ms) {
    pollfd waiting{descriptor, POLLIN, 0};
    return poll(&waiting, 1, timeout_ms) == 1;
  }

  membership job;
  std::vector<pid_t> children;  // of rank 1, 2, ...
};

TEST_F(Watch, a_death_comes_to_the_board) {
  make_job(3, {0, 0, 0});
  process_watch watch(job);
  std::string message;
  ASSERT_TRUE(watch.begin(message)) << message;
  ASSERT_THAT(watch.descriptors(), SizeIs(2));
  const int of_second = watch.descriptors()[1];
  EXPECT_FALSE(is_readable(of_second, 0));
  end_unreaped(children[1]);
  ASSERT_TRUE(is_readable(of_second, kPatienceMs));
  const seen_death death = watch.on_ready(of_second);
  EXPECT_EQ(death.rank, 2);
  EXPECT_TRUE(death.first);
  EXPECT_EQ(state(2), rank_state::failed);
  EXPECT_EQ(state(1), rank_state::joined);
  EXPECT_EQ(job.shared->failures.load(), 1u);
  EXPECT_EQ(job.shared->first_failed.load(), 2);
  EXPECT_EQ(job.line(2).signal.load(), 0);
  EXPECT_EQ(job.line(2).exit_status.load(), kStatusUnknown);
  EXPECT_THAT(watch.descriptors(), SizeIs(1));
}

TEST_F(Watch, who_has_left_may_end) {
  make_job(2, {0, 0});
  process_watch watch(job);
  std::string message;
  ASSERT_TRUE(watch.begin(message)) << message;
  set_state(1, rank_state::finalized);
  end(children[0]);
  const int descriptor = watch.descriptors()[0];
  ASSERT_TRUE(is_readable(descriptor, kPatienceMs));
  EXPECT_EQ(watch.on_ready(descriptor).rank, -1);
  EXPECT_EQ(state(1), rank_state::finalized);
  EXPECT_EQ(job.shared->failures.load(), 0u);
}

TEST_F(Watch, one_of_several_is_first) {
  make_job(2, {0, 0});
  process_watch one(job), other(job);
  std::string message;
  ASSERT_TRUE(one.begin(message) && other.begin(message)) << message;
  end(children[0]);
  const seen_death by_one = one.on_ready(one.descriptors()[0]);
  const seen_death by_other = other.on_ready(other.descriptors()[0]);
  EXPECT_EQ(by_one.rank, 1);
  EXPECT_TRUE(by_one.first);
  EXPECT_EQ(by_other.rank, 1);
  EXPECT_FALSE(by_other.first);
}

TEST_F(Watch, who_ended_before_the_watch_began_is_told) {
  make_job(3, {0, 0, 0});
  end(children[0]);
  process_watch watch(job);
  std::string message;
  ASSERT_TRUE(watch.begin(message)) << message;
  EXPECT_THAT(watch.descriptors(), SizeIs(1));
  const std::vector<seen_death> early = watch.take_early_deaths();
  ASSERT_THAT(early, SizeIs(1));
  EXPECT_EQ(early[0].rank, 1);
  EXPECT_EQ(state(1), rank_state::failed);
}

TEST_F(Watch, ranks_of_other_machines_are_left_to_others) {
  make_job(4, {0, 1, 0, 1});
  job.line(1).pid.store(std::uint32_t(getpid()));  // a number that means nothing here
  process_watch watch(job);
  std::string message;
  ASSERT_TRUE(watch.begin(message)) << message;
  ASSERT_THAT(watch.descriptors(), SizeIs(1));
  end(children[1]);
  EXPECT_EQ(watch.on_ready(watch.descriptors()[0]).rank, 2);
}

TEST_F(Watch, a_low_soft_limit_of_open_files_is_raised) {
  constexpr unsigned kRanks = 20;
  make_job(kRanks, std::vector<std::uint16_t>(kRanks, 0));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = kRanks / 2;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  process_watch watch(job);
  std::string message;
  EXPECT_TRUE(watch.begin(message)) << message;
  EXPECT_THAT(watch.descriptors(), SizeIs(kRanks - 1));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(Watch, the_thread_tells_and_ends) {
  make_job(3, {0, 0, 0});
  std::promise<int> told;
  std::future<int> rank = told.get_future();
  {
    node_watch watch(job, -1);
    std::string message;
    ASSERT_TRUE(watch.start([&told](const seen_death& d) { told.set_value(d.rank); }, message))
        << message;
    end(children[1]);
    ASSERT_EQ(rank.wait_for(std::chrono::milliseconds(kPatienceMs)), std::future_status::ready);
    EXPECT_EQ(rank.get(), 2);
    EXPECT_EQ(state(2), rank_state::failed);
  }
  end(children[0]);  // nobody watches any more: a second set_value would throw
  EXPECT_EQ(state(1), rank_state::joined);
}

TEST_F(Watch, a_thread_that_sees_nothing_ends) {
  make_job(2, {0, 0});
  node_watch watch(job, -1);
  std::string message;
  EXPECT_TRUE(watch.start([](const seen_death&) { ADD_FAILURE(); }, message)) << message;
}

}  // namespace
