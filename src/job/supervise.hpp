// SPDX-License-Identifier: Apache-2.0
// The launcher's event loop, from the start of the last rank to the end of the job: forwards output
// and input, sees deaths and signals, tells the ranks, and decides how the job ends.
//
//   running --(failure under abort, signal, time-out, closed output)--> ending: SIGTERM
//   ending --(grace is over, or a second signal)--> SIGKILL
//   both --(no rank lives)--> draining: what the pipes still hold goes out --> done
//
// A dead rank stays a zombie until the end: its process id, which names its group and session,
// cannot be given to anybody else meanwhile.
//
// Threads: one. Owns the ranks' processes and pipes, and the launcher's view of their states.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "job/input.hpp"
#include "job/launch.hpp"
#include "job/object.hpp"
#include "job/output.hpp"
#include "job/signals.hpp"
#include "job/snapshot.hpp"
#include "job/spawn.hpp"
#include "job/stall_watch.hpp"

namespace ramjet::job {

class supervisor {
 public:
  supervisor(const launch_options& options, const spawn_plan& plan, const job_object& object,
             const signal_watch& signals, input_relay& input);
  ~supervisor();
  supervisor(const supervisor&) = delete;
  supervisor& operator=(const supervisor&) = delete;

  // Takes a started rank into care.
  void add(const rank_process& process);
  // Kills and reaps what was added: a job that could not be started whole.
  void abandon();
  // Watches over the job until it is over; its exit status. `trouble_pipe`: read end.
  int run(int trouble_pipe);

 private:
  // One rank as the launcher knows it.
  struct charge {
    pid_t pid;
    int out, err;  // -1: at its end
    line_source out_lines, err_lines;
    bool exited = false;
    bool failed = false;
    int signal = 0, exit_status = 0;  // once exited
    bool dumped_core = false;
    // A wrapper's program that joined in its stead.
    pid_t inner = 0;
    int inner_watch = -1;              // pidfd
    std::uint64_t inner_died_ns = 0;   // 0: lives
  };
  enum class event : std::uint32_t { signal, trouble, output, sink, input, inner };

  // supervise.cpp: the loop
  void watch(int fd, event what, std::uint32_t index = 0, std::uint32_t events = 0x001 /*EPOLLIN*/);
  void dispatch(std::uint64_t tag);
  void handle_signal(int signal);
  void handle_trouble();
  void on_time();
  int milliseconds_to_next() const;
  bool is_over() const;
  void begin_ending(std::uint64_t grace_ns);
  void kill_groups(int signal) const;
  void sweep();
  void stop_and_continue();
  void rearm_input();

  // forwarding.cpp: output
  void forward_ready();
  bool forward(int& fd, line_source& lines);  // false: nothing more now
  void forward_last(charge& rank);
  void drain();
  void flush_sinks();
  void say(const std::string& sentence);
  void say_raw(const std::string& report);

  // deaths.cpp: what an exit means
  void look_for_exits();
  void judge_exit(unsigned rank);
  void judge_early_leavers();
  void look_for_inner_programs();
  void inner_died(unsigned rank);
  void judge_inner_programs();
  void fail(unsigned rank, const std::string& how);
  std::string how_it_ended(unsigned rank) const;
  rank_state state_of(unsigned rank) const;
  bool someone_joined() const;
  job_snapshot look() const;
  void report(const std::string& headline);

  const launch_options& options_;
  const spawn_plan& plan_;
  const job_object& object_;
  const signal_watch& signals_;
  input_relay& input_;

  std::deque<charge> ranks_;  // by rank
  unsigned alive_ = 0;
  unsigned open_streams_ = 0;
  sink out_, err_own_;
  sink* err_;  // &out_ if both are one stream
  int epoll_ = -1;
  int outputs_ = -1;  // epoll of all ranks' pipes, inside epoll_ while reading_
  bool reading_ = false;
  int trouble_pipe_ = -1;
  int input_watched_ = -1;
  bool input_for_room_ = false;

  int exit_status_ = 0;
  bool ending_ = false;
  bool killed_ = false;
  bool quiet_ = false;             // nobody listens: say nothing more
  std::uint64_t kill_at_ns_ = 0;   // 0: none; likewise below
  std::uint64_t drop_at_ns_ = 0;   // end of patience with a reader of our output
  std::uint64_t timeout_at_ns_ = 0;
  std::uint64_t joining_look_ns_ = 0;
  std::vector<unsigned> early_leavers_;  // exited with 0 before they joined, not yet judged
  stall_watch stall_;
};

}  // namespace ramjet::job
