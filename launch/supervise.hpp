// SPDX-License-Identifier: Apache-2.0
// The launcher's event loop, from the start of the first rank to the end of the job: sees deaths,
// signals and deadlines, notifies the ranks, and decides how the job ends.
//
//   running --(failure under abort, end_job, signal, time-out, closed output)--> ending: SIGTERM
//   ending --(grace is over, or a second signal)--> SIGKILL
//   both --(no rank lives)--> draining: what the pipes still hold goes out --> over
//
// The job's nodes are watched together: what is said here of ranks holds for all of them.
//
// A dead rank stays a zombie until the end: its process id, which names its group,
// cannot be given to anybody else meanwhile. Orphans of the job are reaped as they end.
//
// Threads: one. Owns the ranks' processes and the launcher's view of their states.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/event_loop.hpp"
#include "launch/forward.hpp"
#include "launch/input.hpp"
#include "launch/launch.hpp"
#include "launch/memory.hpp"
#include "launch/memory_kills.hpp"
#include "launch/signals.hpp"
#include "launch/spawn.hpp"
#include "launch/tracing.hpp"
#include "report/snapshot.hpp"
#include "report/stall_watch.hpp"

namespace ramjet::launcher {

// What a supervisor works with; all outlive it.
struct supervised_job {
  const launch_options& options;
  const spawn_plan& plan;
  const job_memory& memory;
  const signal_watch& signals;
  rank_input& input;
  output_hub& output;
  int trouble_pipe;  // read end
  std::uint64_t explain_after_ns;  // 0: hang report only on SIGUSR1
  tracing& trace;
};

class supervisor {
 public:
  explicit supervisor(const supervised_job& job);
  ~supervisor();  // no process of the job outlives it
  supervisor(const supervisor&) = delete;
  supervisor& operator=(const supervisor&) = delete;

  problem open();
  // Takes the next rank into care.
  problem add_rank(const rank_process& process);
  // Watches over the job until it is over; its exit status.
  int run();

 private:
  // One rank as the launcher knows it.
  struct watched_rank {
    pid_t pid = 0;
    bool exited = false;
    bool failed = false;     // has been reported to the user
    int signal = 0;          // once exited: what killed it, 0: nothing
    int exit_status = 0;     // once exited
    bool dumped_core = false;
    // The program that joined in its stead, started by a wrapper.
    pid_t inner = 0;
    int inner_watch = -1;    // pidfd
    std::uint64_t inner_died_ns = 0;  // 0: lives
    bool noted = false;  // for the ranks, on their board
    // When to act on that death: it is noted for the ranks soon, and reported to the user when the
    // wrapper has had time to exit with the status of its program.
    std::uint64_t verdict_ns() const {
      return inner_died_ns == 0 ? 0 : inner_died_ns + (noted ? 500'000'000 : 30'000'000);
    }
  };
  static constexpr std::uint64_t kJoiningPeriodNs = 50'000'000;
  static constexpr std::uint64_t kFailureGraceNs = 200'000'000;  // the job is broken anyway
  enum class event : std::uint32_t { signal, trouble, output, inner, service };

  // supervise.cpp: the loop and the ways to end
  void dispatch(event what, std::uint32_t index);
  void serve_side();
  void handle_signal(const signalfd_siginfo& signal);
  void stop_and_continue(int signal);
  void lend_terminal();
  void pass_on(int signal);
  void pass_on_where_caught(int signal);
  void handle_trouble();
  void handle_closed_output();
  void end_unwatched(const std::string& why);
  void handle_timeout();
  void on_time();
  std::uint64_t next_deadline_ns() const;  // 0: none
  void end_by_signal(const signalfd_siginfo& signal);
  void begin_ending(std::uint64_t grace_ns);
  std::uint64_t grace_ns(std::uint64_t by_default) const;
  int kill_groups(int signal) const;  // errno where the system has refused one, else 0
  void kill_ranks();
  bool is_over();
  void sweep();
  std::vector<pid_t> own_children() const;  // the ranks, and those that are not the job's

  // deaths.cpp: what an exit means
  void find_exits();
  bool has_stopped_for_terminal() const;
  void judge_exit(unsigned rank);
  bool has_ended_job(unsigned rank);
  void judge_early_leavers();
  void check_joining(std::uint64_t now_ns);
  void watch_inner_program(unsigned rank, pid_t pid);
  void judge_inner_programs(std::uint64_t now_ns);
  void fail(unsigned rank, const std::string& how);
  void note_failure(unsigned rank);
  std::string how_it_ended(unsigned rank);
  const char* consequence() const;
  bool is_wrapper(unsigned rank) const;
  void judge_end();
  void report_late_failures();
  rank_state state_of(unsigned rank) const;
  bool has_come(unsigned rank) const;  // it has begun to join, at least
  job_snapshot take_snapshot() const;
  void report(const std::string& headline);

  supervised_job job_;
  std::vector<watched_rank> ranks_;
  std::vector<pid_t> older_children_;  // of this process: not the job's
  unsigned alive_ = 0;
  memory_kills memory_kills_;
  base::event_loop<event> loop_;
  int exit_status_ = 0;
  bool ending_ = false;
  bool swept_ = false;
  bool given_up_ = false;  // no signal reaches the ranks: they end with this process
  bool key_ended_rank_ = false;  // Ctrl-C has, and the key watch has not yet passed it on
  std::vector<unsigned> early_leavers_;  // exited with 0 before they joined; not yet judged
  std::vector<unsigned> late_failures_;  // failed after they finalized; reported at the end
  // Deadlines in CLOCK_MONOTONIC ns, 0: none.
  std::uint64_t kill_at_ns_ = 0;
  std::uint64_t drop_at_ns_ = 0;  // whoever reads our output has had its time
  std::uint64_t timeout_at_ns_ = 0;
  std::uint64_t joining_check_ns_ = 0;
  std::uint64_t service_at_ns_ = 0;
  stall_watch stall_;
};

}  // namespace ramjet::launcher
