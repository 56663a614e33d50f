// SPDX-License-Identifier: Apache-2.0
#include "launch/spawn.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "base/system.hpp"
#include "launch/guardian.hpp"

namespace ramjet::launcher {
namespace {

using testing::HasSubstr;
constexpr int kPatienceMs = 20'000;

TEST(find_program, looks_in_path_as_shells_do) {
  std::string path;
  EXPECT_FALSE(find_program("sh", path));
  EXPECT_THAT(path, HasSubstr("/sh"));
  EXPECT_FALSE(find_program("/bin/sh", path));
  EXPECT_EQ(path, "/bin/sh");
  EXPECT_EQ(find_program("no-such-program-here", path).exit_status, 127);
  EXPECT_EQ(find_program("/no/such/program", path).exit_status, 127);
  EXPECT_EQ(find_program("/etc", path).exit_status, 126);
  EXPECT_EQ(find_program("/etc/passwd", path).exit_status, 126);
}

TEST(pointers_to_test, end_with_a_null_pointer) {
  std::vector<std::string> words{"a", "bc"};
  const std::vector<char*> pointers = pointers_to(words);
  ASSERT_EQ(pointers.size(), 3u);
  EXPECT_STREQ(pointers[1], "bc");
  EXPECT_EQ(pointers[2], nullptr);
}

TEST(raise_open_files_test, raises_the_soft_limit_and_says_what_a_job_needs) {
  rlimit now{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &now), 0);
  rlimit before{};
  EXPECT_FALSE(raise_open_files(1, 1, before));
  EXPECT_EQ(before.rlim_cur, now.rlim_cur);
  rlimit after{};
  ::getrlimit(RLIMIT_NOFILE, &after);
  EXPECT_EQ(after.rlim_cur, now.rlim_max);
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < 1'000'000'000) {
    const problem p = raise_open_files(1'000'000'000, 1, before);
    EXPECT_EQ(p.exit_status, 1);
    EXPECT_THAT(p.sentence, HasSubstr("ulimit -Hn"));
  }
  ::setrlimit(RLIMIT_NOFILE, &now);
}

TEST(explain_test, says_why_a_rank_could_not_become_the_program) {
  spawn_plan plan;
  plan.command = {"./x"};
  EXPECT_THAT(explain({0, ENOENT}, plan).sentence, HasSubstr("interpreter"));
  EXPECT_EQ(explain({0, ENOENT}, plan).exit_status, 127);
  EXPECT_THAT(explain({0, E2BIG}, plan).sentence, HasSubstr("too long"));
  EXPECT_EQ(explain({0, ENOEXEC}, plan).exit_status, 126);
}

// One rank, started as a launcher does it.
struct spawn_rank_test : testing::Test {
  spawn_rank_test() {
    EXPECT_FALSE(signals.start());
    EXPECT_EQ(::pipe2(guardian_pipe, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(trouble_pipe, O_CLOEXEC), 0);
    ::getrlimit(RLIMIT_NOFILE, &plan.open_files);
    plan.signals = &signals;
    plan.secret = 5;
    plan.guardian_pipe = guardian_pipe[1];
    plan.trouble_pipe = trouble_pipe[1];
    plan.environment = {"A=b"};
    own.rank = 3;
    own.node = 1;
    own.job_descriptor = base::open_memory_file();
    own.input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
  ~spawn_rank_test() override {
    for (int fd : {guardian_pipe[0], guardian_pipe[1], trouble_pipe[0], trouble_pipe[1],
                   own.job_descriptor, own.input, rank.out, rank.err})
      if (fd >= 0) ::close(fd);
  }
  // Its exit status, or minus the signal that killed it.
  int run(std::vector<std::string> command) {
    plan.command = std::move(command);
    plan.path = plan.command[0];
    EXPECT_FALSE(spawn_rank(plan, own, rank));
    int status = 0;
    EXPECT_EQ(::waitpid(rank.pid, &status, 0), rank.pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  static std::string text_of(int fd) {
    std::string text;
    char bytes[1000];
    for (pollfd p{fd, POLLIN, 0}; ::poll(&p, 1, kPatienceMs) == 1;) {
      const ssize_t got = ::read(fd, bytes, sizeof bytes);
      if (got <= 0) break;
      text.append(bytes, std::size_t(got));
    }
    return text;
  }

  signal_watch signals;
  int guardian_pipe[2] = {-1, -1}, trouble_pipe[2] = {-1, -1};
  spawn_plan plan;
  rank_plan own;
  rank_process rank;
};

TEST_F(spawn_rank_test, has_its_streams_its_environment_and_a_group_of_its_own) {
  EXPECT_EQ(run({"/bin/sh", "-c",
                 "echo $RAMJET_RANK $RAMJET_NODE $A; cat; ps -o pgid= -p $$ >&2; "
                 "test -e /proc/self/fd/$RAMJET_JOB_FD && exit 7"}),
            7);
  EXPECT_EQ(text_of(rank.out), "3 1 b\n");
  EXPECT_EQ(std::atoi(text_of(rank.err).c_str()), rank.pid);
}

TEST_F(spawn_rank_test, is_announced_to_the_guardian_with_its_files) {
  EXPECT_EQ(run({"/bin/true"}), 0);
  guardian::announcement got{};
  ASSERT_EQ(::read(guardian_pipe[0], &got, sizeof got), ssize_t(sizeof got));
  EXPECT_EQ(got.secret, 5u);
  EXPECT_EQ(got.pid, rank.pid);
  EXPECT_EQ(got.memory, mark_of(own.job_descriptor));
  EXPECT_EQ(got.out, mark_of(rank.out));  // both ends of a pipe are one file
  EXPECT_EQ(got.err, mark_of(rank.err));
}

TEST_F(spawn_rank_test, says_through_the_pipe_that_it_cannot_become_the_program) {
  EXPECT_EQ(run({"/no/such/program"}), 127);
  spawn_trouble trouble{};
  ASSERT_EQ(::read(trouble_pipe[0], &trouble, sizeof trouble), ssize_t(sizeof trouble));
  EXPECT_EQ(trouble.rank, 3u);
  EXPECT_EQ(trouble.error, ENOENT);
}

}  // namespace
}  // namespace ramjet::launcher
