// SPDX-License-Identifier: Apache-2.0
// A supervisor over real processes that are no Ramjet programs: the test writes on the job's board
// what ranks would.
#include "launch/supervise.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "base/clock.hpp"
#include "launch/guardian.hpp"

namespace ramjet::launcher {
namespace {

using testing::HasSubstr;
using testing::Not;

struct supervise_test : testing::Test {
  supervise_test() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

  // Starts the ranks, each as a shell with this script, lets the test write on the board, and
  // supervises them to their end.
  int run(unsigned ranks, const std::string& script,
          const std::function<void(job_memory&)>& on_board = {}) {
    testing::internal::CaptureStderr();
    const int status = run_captured(ranks, script, on_board);
    errors = testing::internal::GetCapturedStderr();
    return status;
  }
  int run_captured(unsigned ranks, const std::string& script,
                   const std::function<void(job_memory&)>& on_board) {
    options.ranks = ranks;
    options.command = {"/bin/sh", "-c", script};
    output_hub output({false, false, [](int, std::string_view) {}});
    signal_watch signals;
    guardian guard;
    job_memory memory;
    tracing trace{options, memory, output};
    rank_input input;
    spawn_plan plan;
    int trouble[2];
    EXPECT_FALSE(signals.start());
    EXPECT_FALSE(guard.start());
    EXPECT_FALSE(memory.create(ranks, 1, options.policy, 200));
    EXPECT_FALSE(output.open());
    EXPECT_FALSE(input.open(false));
    EXPECT_EQ(::pipe2(trouble, O_CLOEXEC | O_NONBLOCK), 0);
    plan.command = options.command;
    plan.path = "/bin/sh";
    plan.trouble_pipe = trouble[1];
    plan.guardian_pipe = guard.pipe();
    plan.secret = memory.secret();
    plan.signals = &signals;
    ::getrlimit(RLIMIT_NOFILE, &plan.open_files);
    supervisor s({options, plan, memory, signals, input, output, trouble[0], 0, trace});
    EXPECT_FALSE(s.open());
    for (unsigned r = 0; r < ranks; ++r) {
      rank_process process;
      EXPECT_FALSE(
          spawn_rank(plan, {r, 0, memory.home_of(r).descriptor(), input.for_rank(r)}, process));
      pids.push_back(process.pid);
      s.add_rank(process);
    }
    ::close(trouble[1]);
    if (on_board) on_board(memory);
    const int status = s.run();
    ::close(trouble[0]);
    return status;
  }
  // As if all ranks had joined.
  void join(job_memory& memory) const {
    board& b = memory.node(0).the_board();
    for (unsigned r = 0; r < pids.size(); ++r) {
      memory.line(r).pid = std::uint32_t(pids[r]);
      memory.line(r).state = std::uint32_t(rank_state::joined);
    }
    b.joined = unsigned(pids.size());
  }

  launch_options options;
  std::vector<pid_t> pids;
  std::string errors;
};

TEST_F(supervise_test, ranks_that_finalized_and_exit_with_0_are_a_good_job) {
  EXPECT_EQ(run(3, "sleep 0.1",
                [this](job_memory& m) {
                  join(m);
                  for (unsigned r = 0; r < 3; ++r)
                    m.line(r).state = std::uint32_t(rank_state::finalized);
                }),
            0);
  EXPECT_EQ(errors, "");
}

TEST_F(supervise_test, a_failure_ends_the_others_and_names_the_rank) {
  EXPECT_EQ(run(3, "[ $RAMJET_RANK = 1 ] && { sleep 0.1; kill -9 $$; }; sleep 100",
                [this](job_memory& m) { join(m); }),
            137);
  EXPECT_THAT(errors, HasSubstr("rank 1 (pid " + std::to_string(pids[1]) +
                                ") was killed by signal 9 (Killed)"));
  EXPECT_THAT(errors, HasSubstr("; ending the job\n"));
}

TEST_F(supervise_test, under_continue_the_others_go_on_if_the_job_had_started) {
  options.policy = failure_policy::carry_on;
  EXPECT_EQ(run(2, "sleep 0.$RAMJET_RANK; exit $RAMJET_RANK", [this](job_memory& m) { join(m); }),
            1);
  EXPECT_THAT(errors, HasSubstr("; the others go on\n"));
}

TEST_F(supervise_test, under_continue_a_death_at_the_start_keeps_the_job_from_starting) {
  options.policy = failure_policy::carry_on;
  EXPECT_EQ(run(2, "exit 4"), 4);
  EXPECT_THAT(errors, HasSubstr("before it joined the job; the job cannot start without it\n"));
  EXPECT_THAT(errors, Not(HasSubstr("go on")));
}

TEST_F(supervise_test, a_rank_that_ends_the_job_gives_its_status_and_no_message) {
  for (unsigned status : {0u, 9u}) {
    pids.clear();
    EXPECT_EQ(run(3, "[ $RAMJET_RANK = 2 ] && exec sleep 0.1; sleep 100",
                  [&](job_memory& m) {
                    join(m);
                    m.node(0).the_board().job_ended = kJobEnded | status;
                  }),
              int(status));
    EXPECT_EQ(errors, "");
  }
}

TEST_F(supervise_test, the_time_out_ends_the_job) {
  options.timeout_s = 0.2;
  EXPECT_EQ(run(2, "sleep 100", [this](job_memory& m) { join(m); }), 124);
  EXPECT_THAT(errors, HasSubstr("did not end within"));
}

TEST_F(supervise_test, no_process_of_the_job_outlives_it) {
  EXPECT_EQ(run(1, "setsid sleep 100 & exit 3", [this](job_memory& m) { join(m); }), 3);
}

}  // namespace
}  // namespace ramjet::launcher
