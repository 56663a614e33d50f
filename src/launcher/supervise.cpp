// SPDX-License-Identifier: Apache-2.0
#include "launcher/supervise.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <limits>

#include "base/clock.hpp"
#include "launcher/processes.hpp"
#include "report/report.hpp"

namespace ramjet::launcher {
namespace {

constexpr std::uint64_t kGraceNs = 1'000'000'000;  // the user asked: let the ranks clean up
constexpr std::uint64_t kReaderPatienceNs = 1'000'000'000;  // for a reader that does not read
constexpr int kTimeoutStatus = 124;

std::uint64_t to_ns(double seconds) { return std::uint64_t(seconds * 1e9); }

}  // namespace

supervisor::supervisor(const supervised_job& job)
    : job_(job), older_children_(children()), stall_(job.explain_after_ns) {}

supervisor::~supervisor() {
  sweep();
  for (watched_rank& rank : ranks_) {
    while (::waitpid(rank.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    if (rank.inner_watch >= 0) ::close(rank.inner_watch);
  }
}

problem supervisor::open() {
  if (loop_.open() && loop_.watch(job_.signals.descriptor(), event::signal) &&
      loop_.watch(job_.trouble_pipe, event::trouble) &&
      loop_.watch(job_.output.descriptor(), event::output) &&
      (job_.options.service.descriptor < 0 ||
       loop_.watch(job_.options.service.descriptor, event::service)))
    return {};
  return out_of_files("watch the ranks (epoll)");
}

void supervisor::add_rank(const rank_process& process) {
  watched_rank rank;
  rank.pid = process.pid;
  ranks_.push_back(rank);
  ++alive_;
  job_.output.add_rank(process.out, process.err);
}

int supervisor::run() {
  const std::uint64_t now_ns = base::now_ns();
  if (job_.options.timeout_s > 0) timeout_at_ns_ = now_ns + to_ns(job_.options.timeout_s);
  joining_check_ns_ = now_ns + kJoiningPeriodNs;
  while (!is_over()) {
    rearm_input();
    loop_.wait(next_deadline_ns(), [this](event what, std::uint32_t i) { dispatch(what, i); });
    on_time();
  }
  return exit_status_;
}

void supervisor::dispatch(event what, std::uint32_t index) {
  switch (what) {
    case event::signal:
      for (signalfd_siginfo signal; job_.signals.next(signal);)
        handle_signal(int(signal.ssi_signo));
      break;
    case event::trouble:
      handle_trouble();
      break;
    case event::output:
      job_.output.pump();
      handle_closed_output();
      break;
    case event::input:
      job_.input.pump();
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

void supervisor::handle_signal(int signal) {
  switch (signal) {
    case SIGCHLD:
      return find_exits();
    case SIGUSR1:
      return report(text("SIGUSR1: what %zu ranks are doing", ranks_.size()));
    case SIGTSTP:
      return stop_and_continue();
    default:
      return end_by_signal(signal);
  }
}

void supervisor::end_by_signal(int signal) {
  const bool again = ending_;
  if (!ending_) exit_status_ = 128 + signal;
  begin_ending(kGraceNs);
  if (again) kill_at_ns_ = drop_at_ns_ = base::now_ns();
}

// Ctrl-Z: the ranks are in groups of their own and must be stopped by us.
void supervisor::stop_and_continue() {
  kill_groups(SIGSTOP);
  const std::uint64_t stopped_ns = base::now_ns();
  job_.signals.stop();
  kill_groups(SIGCONT);
  if (timeout_at_ns_ != 0) timeout_at_ns_ += base::now_ns() - stopped_ns;
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
  begin_ending(kFailureGraceNs);
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
  begin_ending(kFailureGraceNs);
  if (error == EPIPE) job_.output.silence();
}

void supervisor::handle_timeout() {
  timeout_at_ns_ = 0;
  if (ending_ || alive_ == 0) return;
  job_.output.say(text("the job did not end within %s (--timeout); %s; ending the job",
                       duration_text(to_ns(job_.options.timeout_s)).c_str(),
                       who_waited(take_snapshot()).c_str()));
  exit_status_ = kTimeoutStatus;
  begin_ending(kGraceNs);
}

void supervisor::begin_ending(std::uint64_t grace_ns) {
  if (ending_) return;
  ending_ = true;
  kill_at_ns_ = base::now_ns() + grace_ns;
  drop_at_ns_ = kill_at_ns_ + kReaderPatienceNs;
  kill_groups(SIGTERM);
  kill_groups(SIGCONT);  // a stopped process takes its SIGTERM only now
}

void supervisor::kill_groups(int signal) const {
  for (const watched_rank& rank : ranks_) {
    if (::kill(-rank.pid, signal) != 0) ::kill(rank.pid, signal);  // not yet leader of a group
  }
}

void supervisor::on_time() {
  const std::uint64_t now_ns = base::now_ns();
  const auto due = [now_ns](std::uint64_t at_ns) { return at_ns != 0 && at_ns <= now_ns; };
  if (due(kill_at_ns_)) {
    kill_at_ns_ = 0;
    kill_groups(SIGKILL);
  }
  if (due(timeout_at_ns_)) handle_timeout();
  if (due(joining_check_ns_)) check_joining(now_ns);
  if (due(job_.input.retry_ns())) job_.input.pump();
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

void supervisor::rearm_input() {
  const int wanted = alive_ > 0 ? job_.input.watched() : -1;
  const bool for_room = job_.input.wants_room();
  if (wanted == input_watched_ && for_room == input_for_room_) return;
  if (input_watched_ >= 0) loop_.forget(input_watched_);
  input_watched_ = wanted;
  input_for_room_ = for_room;
  if (wanted >= 0) loop_.watch(wanted, event::input, 0, for_room ? EPOLLOUT : EPOLLIN);
}

bool supervisor::is_over() {
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
