// SPDX-License-Identifier: Apache-2.0
#include "launch/supervise.hpp"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <utility>

#include "base/clock.hpp"
#include "base/report_request.hpp"
#include "base/system.hpp"
#include "launch/processes.hpp"
#include "report/report.hpp"

namespace ramjet::launcher {
namespace {

constexpr std::uint64_t kGraceNs = 1'000'000'000;  // the user asked: let the ranks clean up
constexpr std::uint64_t kReaderPatienceNs = 1'000'000'000;  // for a reader that does not read
constexpr int kTimeoutStatus = 124;

// Whether the parent is a shell with job control, which continues what it sees stopped.
bool has_shell() {
  const pid_t parent = ::getppid();
  return ::getsid(parent) == ::getsid(0) && ::getpgid(parent) != ::getpgrp();
}

std::uint64_t to_ns(double seconds) { return std::uint64_t(seconds * 1e9); }

}  // namespace

supervisor::supervisor(const supervised_job& job)
    : job_(job), older_children_(children()), stall_(job.explain_after_ns) {}

supervisor::~supervisor() {
  if (!given_up_) sweep();
  for (watched_rank& rank : ranks_) {
    while (::waitpid(rank.pid, nullptr, given_up_ ? WNOHANG : 0) < 0 && errno == EINTR) {
    }
    if (rank.inner_watch >= 0) ::close(rank.inner_watch);
  }
}

problem supervisor::open() {
  if (!loop_.open()) return out_of_files("watch the ranks (epoll)");
  if (loop_.watch(job_.signals.descriptor(), event::signal) &&
      loop_.watch(job_.trouble_pipe, event::trouble) &&
      loop_.watch(job_.output.descriptor(), event::output) &&
      (job_.options.service.descriptor < 0 ||
       loop_.watch(job_.options.service.descriptor, event::service)))
    return {};
  return {1, base::watch_problem(errno)};
}

problem supervisor::add_rank(const rank_process& process) {
  watched_rank rank;
  rank.pid = process.pid;
  ranks_.push_back(rank);
  ++alive_;
  return job_.output.add_rank(process.out, process.err);
}

int supervisor::run() {
  const std::uint64_t now_ns = base::now_ns();
  if (job_.options.timeout_s > 0) timeout_at_ns_ = now_ns + to_ns(job_.options.timeout_s);
  joining_check_ns_ = now_ns + kJoiningPeriodNs;
  while (!is_over()) {
    loop_.wait(next_deadline_ns(), [this](event what, std::uint32_t i) { dispatch(what, i); });
    on_time();
    if (const int error = job_.output.watch_error(); error != 0)
      end_unwatched(base::watch_problem(error));
  }
  return exit_status_;
}

void supervisor::dispatch(event what, std::uint32_t index) {
  switch (what) {
    case event::signal:
      for (signalfd_siginfo signal; job_.signals.next(signal);) handle_signal(signal);
      break;
    case event::trouble:
      handle_trouble();
      break;
    case event::output:
      job_.output.pump();
      handle_closed_output();
      break;
    case event::inner:
      loop_.forget(ranks_[index].inner_watch);
      ranks_[index].inner_died_ns = base::now_ns();
      break;
    case event::service:
      serve_side();
      break;
  }
}

void supervisor::serve_side() {
  service_at_ns_ = job_.options.service.serve(job_.memory.readable());
}

void supervisor::handle_signal(const signalfd_siginfo& signal) {
  switch (const int number = int(signal.ssi_signo)) {
    case SIGCHLD:
      find_exits();
      if (has_stopped_for_terminal()) lend_terminal();
      return;
    case SIGUSR1:
      report(text("SIGUSR1: what %zu ranks are doing", ranks_.size()));
      return pass_on_where_caught(number);
    case SIGUSR2:
      return pass_on(number);
    case SIGCONT:
      kill_groups(SIGCONT);
      return;
    case SIGTSTP:
      return stop_and_continue(number);
    case SIGTTIN:
    case SIGTTOU:
      if (pid_t(signal.ssi_pid) == job_.input.key_watch()) lend_terminal();
      return;
    default:
      return end_by_signal(signal);
  }
}

void supervisor::end_by_signal(const signalfd_siginfo& signal) {
  const bool by_key = signal.ssi_code == SI_KERNEL ||
                      (signal.ssi_pid != 0 && pid_t(signal.ssi_pid) == job_.input.key_watch());
  if (by_key && std::exchange(key_ended_rank_, false)) return;  // it has ended the job already
  if (ending_) {
    kill_at_ns_ = drop_at_ns_ = base::now_ns();
    return;
  }
  const int number = int(signal.ssi_signo);
  const std::uint64_t grace = grace_ns(kGraceNs);
  exit_status_ = 128 + number;
  job_.output.say(text(
      "signal %d (%s) from %s; ending the job; the ranks have %s (--grace), a second signal kills "
      "them",
      number, ::strsignal(number),
      by_key ? "the keyboard" : text("process %u", signal.ssi_pid).c_str(),
      duration_text(grace).c_str()));
  begin_ending(grace);
}

// The ranks are in groups of their own: whatever stops this process does not reach them.
void supervisor::stop_and_continue(int signal) {
  kill_groups(SIGSTOP);
  job_.input.take_back();
  const std::uint64_t stopped_ns = base::now_ns();
  job_.signals.stop(signal);
  kill_groups(SIGCONT);
  if (timeout_at_ns_ != 0) timeout_at_ns_ += base::now_ns() - stopped_ns;
}

// Rank 0 wants to read it, or to set its modes. What it has asked for should be on the screen.
void supervisor::lend_terminal() {
  if (ending_ || ranks_.empty()) return;
  job_.output.show_unfinished(0);
  if (job_.input.lend() || !has_shell()) return;
  stop_and_continue(SIGSTOP);  // in the background, as any program that reads its terminal there
}

// To the ranks' programs, not to their groups: a shell around a program would die of it.
void supervisor::pass_on(int signal) {
  check_joining(base::now_ns());  // which program it is
  for (const watched_rank& rank : ranks_) {
    if (rank.exited) continue;
    if (rank.inner_watch < 0 ||
        ::syscall(SYS_pidfd_send_signal, rank.inner_watch, signal, nullptr, 0) != 0)
      ::kill(rank.pid, signal);
  }
}

// A rank that does not catch SIGUSR1 would die of a question to the launcher. One that waits in
// user-level threads has been asked for them, by the same signal.
void supervisor::pass_on_where_caught(int signal) {
  check_joining(base::now_ns());
  const std::vector<unsigned> asked = ranks_to_ask(take_snapshot());
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    const watched_rank& it = ranks_[rank];
    const pid_t program = it.inner_watch >= 0 ? it.inner : it.pid;
    if (it.exited || std::find(asked.begin(), asked.end(), rank) != asked.end() ||
        !catches_signal(program, signal))
      continue;
    base::ask(base::question::nothing, it.inner_watch, program);
  }
}

void supervisor::handle_trouble() {
  spawn_trouble trouble{};
  const ssize_t got = ::read(job_.trouble_pipe, &trouble, sizeof trouble);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got != ssize_t(sizeof trouble)) {  // every rank has become its program
    loop_.forget(job_.trouble_pipe);
    return;
  }
  if (ending_) return;
  const problem what = explain(trouble, job_.plan);
  exit_status_ = what.exit_status;
  job_.output.say(what.sentence);
  begin_ending(grace_ns(kFailureGraceNs));
}

// `| head -1` is not a failure: end as if SIGPIPE had ended us.
void supervisor::handle_closed_output() {
  const int error = job_.output.output_error();
  if (error == 0 || ending_) return;
  if (error != EPIPE) {
    job_.output.say(
        text("cannot write standard output: %s; ending the job", errno_text(error).c_str()));
  }
  if (exit_status_ == 0) exit_status_ = error == EPIPE ? 128 + SIGPIPE : 1;
  begin_ending(grace_ns(kFailureGraceNs));
  if (error == EPIPE) job_.output.silence();
}

// Deaths, output or readers would go unnoticed: the job might wait for ever.
void supervisor::end_unwatched(const std::string& why) {
  if (ending_) return;
  if (exit_status_ == 0) exit_status_ = 1;
  job_.output.say(why + "; ending the job");
  begin_ending(grace_ns(kFailureGraceNs));
}

void supervisor::handle_timeout() {
  timeout_at_ns_ = 0;
  if (ending_ || alive_ == 0) return;
  job_.output.say(text("the job did not end within %s (--timeout); %s; ending the job",
                       duration_text(to_ns(job_.options.timeout_s)).c_str(),
                       who_waited(take_snapshot()).c_str()));
  exit_status_ = kTimeoutStatus;
  begin_ending(grace_ns(kGraceNs));
}

std::uint64_t supervisor::grace_ns(std::uint64_t by_default) const {
  return job_.options.grace_s < 0 ? by_default : to_ns(job_.options.grace_s);
}

void supervisor::begin_ending(std::uint64_t grace_ns) {
  if (ending_) return;
  ending_ = true;
  kill_at_ns_ = base::now_ns() + grace_ns;
  drop_at_ns_ = kill_at_ns_ + kReaderPatienceNs;
  kill_groups(SIGTERM);
  kill_groups(SIGCONT);  // a stopped process takes its SIGTERM only now
}

int supervisor::kill_groups(int signal) const {
  int refused = 0;
  for (const watched_rank& rank : ranks_) {
    if (::kill(-rank.pid, signal) == 0 || ::kill(rank.pid, signal) == 0) continue;
    if (errno != ESRCH) refused = errno;  // ESRCH: not yet leader of a group
  }
  return refused;
}

// The kernel kills the ranks when their parent ends, whatever signals this process may send.
void supervisor::kill_ranks() {
  const int refused = kill_groups(SIGKILL);
  if (refused == 0) return;
  given_up_ = true;
  job_.output.say(
      text("cannot kill the ranks: %s; does a filter of system calls refuse kill, or is "
           "a rank another user's? They end when this command ends, which is now",
           errno_text(refused).c_str()));
}

void supervisor::on_time() {
  const std::uint64_t now_ns = base::now_ns();
  const auto due = [now_ns](std::uint64_t at_ns) { return at_ns != 0 && at_ns <= now_ns; };
  if (due(kill_at_ns_)) {
    kill_at_ns_ = 0;
    kill_ranks();
  }
  if (due(timeout_at_ns_)) handle_timeout();
  if (due(joining_check_ns_)) check_joining(now_ns);
  if (due(job_.input.retry_ns())) lend_terminal();
  if (due(job_.trace.next_ns())) job_.trace.take(now_ns);
  if (due(service_at_ns_)) serve_side();
  judge_inner_programs(now_ns);
  if (due(stall_.next_check_ns()) && !ending_ && stall_.check(job_.memory.readable(), now_ns)) {
    report(text("no progress for %s", duration_text(job_.explain_after_ns).c_str()));
  }
}

std::uint64_t supervisor::next_deadline_ns() const {
  constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t next_ns = kNever;
  const auto consider = [&next_ns](std::uint64_t at_ns) {
    if (at_ns != 0) next_ns = std::min(next_ns, at_ns);
  };
  consider(kill_at_ns_);
  consider(alive_ > 0 ? timeout_at_ns_ : 0);
  consider(joining_check_ns_);
  consider(alive_ > 0 && !ending_ ? stall_.next_check_ns() : 0);
  consider(job_.input.retry_ns());
  consider(alive_ > 0 ? job_.trace.next_ns() : 0);
  consider(alive_ > 0 ? service_at_ns_ : 0);
  consider(alive_ == 0 ? drop_at_ns_ : 0);
  for (const watched_rank& rank : ranks_) {
    if (!rank.exited && !rank.failed) consider(rank.verdict_ns());
  }
  return next_ns == kNever ? 0 : next_ns;
}

bool supervisor::is_over() {
  if (given_up_) {
    job_.output.drain();
    return true;
  }
  if (alive_ > 0) return false;
  if (!swept_) {
    sweep();
    job_.output.drain();  // the ranks' last words come before ours
    judge_end();
  }
  const bool drained = job_.output.drain();
  handle_closed_output();
  return drained || (drop_at_ns_ != 0 && base::now_ns() >= drop_at_ns_);
}

// Ends whatever the ranks left behind. Their ids are still theirs: nobody has reaped them.
void supervisor::sweep() {
  if (swept_) return;
  swept_ = true;
  kill_groups(SIGKILL);
  end_orphans(own_children(), job_.memory.secret());
}

std::vector<pid_t> supervisor::own_children() const {
  std::vector<pid_t> own = older_children_;
  for (const watched_rank& rank : ranks_) own.push_back(rank.pid);
  return own;
}

}  // namespace ramjet::launcher
