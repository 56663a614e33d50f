// SPDX-License-Identifier: Apache-2.0
// The supervisor's judgement: which exits are failures, what the ranks and the user learn of them.
//
//   exit               finalized   joined          not joined
//   status 0           fine        failure         failure if another rank has come, else see below
//   another status     late (*)    failure         failure
//   killed by signal   late (*)    failure         failure
//
// (*) Nobody waits for a rank that finalized: its status counts, the others go on, and it is
//     reported at the end, together with those that ended likewise.
// A rank that has called end_job ends the job, however it exits.
// If no rank ever comes, the program is not a Ramjet program, and that is said at the end.
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <utility>

#include "base/clock.hpp"
#include "base/exit_status.hpp"
#include "base/report_request.hpp"
#include "base/system.hpp"
#include "launch/processes.hpp"
#include "launch/supervise.hpp"
#include "report/process_info.hpp"
#include "report/report.hpp"

namespace ramjet::launcher {

void supervisor::find_exits() {
  handle_trouble();  // a rank that could not become the program says so before it exits
  std::vector<unsigned> causes, consequences;
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    watched_rank& it = ranks_[rank];
    if (it.exited) continue;
    siginfo_t info{};
    if (::waitid(P_PID, id_t(it.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0) continue;
    if (info.si_pid == 0) continue;
    it.exited = true;
    it.signal = info.si_code == CLD_EXITED ? 0 : info.si_status;
    it.exit_status = info.si_code == CLD_EXITED ? info.si_status : 0;
    it.dumped_core = info.si_code == CLD_DUMPED;
    --alive_;
    (it.exit_status == base::kExitJobLost ? consequences : causes).push_back(rank);
  }
  // Where several are found together, as after a stop of this process, a rank that was left by
  // another one has ended later than that.
  for (const unsigned rank : causes) judge_exit(rank);
  for (const unsigned rank : consequences) judge_exit(rank);
  reap_children_except(own_children());
}

// Whether rank 0 has just been stopped because it wants the terminal.
bool supervisor::has_stopped_for_terminal() const {
  if (!job_.input.is_terminal() || ranks_.empty() || ranks_[0].exited) return false;
  siginfo_t info{};
  if (::waitid(P_PID, id_t(ranks_[0].pid), &info, WSTOPPED | WNOHANG) != 0) return false;
  return info.si_pid != 0 && (info.si_status == SIGTTIN || info.si_status == SIGTTOU);
}

void supervisor::judge_exit(unsigned rank) {
  const watched_rank& it = ranks_[rank];
  if (ending_ || it.failed || has_ended_job(rank)) return;
  const bool clean = it.signal == 0 && it.exit_status == 0;
  const rank_state state = state_of(rank);
  if (clean && state == rank_state::finalized) return;
  // While it has the terminal, Ctrl-C goes to its group; the key watch passes it on, too.
  if (rank == 0 && it.signal == SIGINT && job_.input.is_lent()) {
    signalfd_siginfo key{};
    key.ssi_signo = SIGINT;
    key.ssi_code = SI_KERNEL;
    end_by_signal(key);
    key_ended_rank_ = true;
    return;
  }
  if (clean && state == rank_state::absent) {
    early_leavers_.push_back(rank);
    joining_check_ns_ = base::now_ns() + kJoiningPeriodNs;
    return judge_early_leavers();
  }
  fail(rank, how_it_ended(rank));
}

// Whether it has ended the job, by end_job.
bool supervisor::has_ended_job(unsigned rank) {
  const int status = job_.memory.ended_with(rank);
  if (status < 0 || ending_) return status >= 0;
  exit_status_ = status;
  begin_ending(grace_ns(kFailureGraceNs));
  return true;
}

// A rank that has left without joining is a failure as soon as another one has come.
void supervisor::judge_early_leavers() {
  bool someone_came = false;
  for (unsigned rank = 0; rank < ranks_.size() && !early_leavers_.empty(); ++rank) {
    someone_came = someone_came || has_come(rank);
  }
  if (!someone_came) return;
  for (unsigned rank : early_leavers_) {
    if (!ending_) fail(rank, how_it_ended(rank));
  }
  early_leavers_.clear();
}

// While ranks are still to join, nothing else would show those that come, nor through whom.
void supervisor::check_joining(std::uint64_t now_ns) {
  joining_check_ns_ = 0;
  if (ending_ || alive_ == 0) return;
  judge_early_leavers();
  bool all_came = true;
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    const pid_t joined_pid = pid_t(job_.memory.line(rank).pid.load(std::memory_order_relaxed));
    if (joined_pid == 0) all_came = all_came && ranks_[rank].exited;
    if (joined_pid != 0) memory_kills_.note_group(ranks_[rank].pid);
    if (joined_pid != 0 && joined_pid != ranks_[rank].pid) watch_inner_program(rank, joined_pid);
  }
  if (!all_came) joining_check_ns_ = now_ns + kJoiningPeriodNs;
}

// The rank is a wrapper and its program a child of it: its death does not show as the wrapper's.
void supervisor::watch_inner_program(unsigned rank, pid_t pid) {
  watched_rank& it = ranks_[rank];
  if (it.exited || it.inner != 0) return;
  it.inner = pid;
  const pid_t found = find_descendant(pid);
  it.inner_watch = found == 0 ? -1 : int(::syscall(SYS_pidfd_open, found, 0));
  if (it.inner_watch >= 0) {
    ::fcntl(it.inner_watch, F_SETFD, FD_CLOEXEC);
    if (!loop_.watch(it.inner_watch, event::inner, rank)) end_unwatched(base::watch_problem(errno));
  } else if (found == 0 || errno == ESRCH) {
    it.inner_died_ns = base::now_ns();
  } else {
    const int error = errno;
    end_unwatched(text("cannot watch the program of rank %u (pidfd_open): %s; %s", rank,
                       errno_text(error).c_str(), report::watch_remedy(error)));
  }
}

void supervisor::judge_inner_programs(std::uint64_t now_ns) {
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    watched_rank& it = ranks_[rank];
    if (it.inner_died_ns == 0 || it.exited || it.failed || it.verdict_ns() > now_ns) continue;
    if (ending_ || state_of(rank) == rank_state::finalized || has_ended_job(rank)) {
      it.inner_died_ns = 0;
    } else if (!it.noted) {
      note_failure(rank);
    } else {
      fail(rank, text("rank %u (pid %d, started by pid %d) ended without finalize", rank, it.inner,
                      it.pid));
    }
  }
}

// How the program of a wrapper has ended is known by the wrapper's exit at most: a shell's status
// says by 128 + N that signal N killed it.
void supervisor::note_failure(unsigned rank) {
  watched_rank& it = ranks_[rank];
  if (it.noted && !it.exited) return;
  it.noted = true;
  const bool wrapped = is_wrapper(rank);
  const bool by_shell = wrapped && it.exit_status > 128 && it.exit_status <= 128 + SIGRTMAX;
  if (!it.exited || (wrapped && it.signal == 0 && it.exit_status == 0)) {
    job_.memory.note_failure(rank, 0, kStatusUnknown);
  } else if (by_shell) {
    job_.memory.note_failure(rank, it.exit_status - 128, 0);
  } else {
    job_.memory.note_failure(rank, it.signal, it.exit_status);
  }
}

// Whether another process than the one that was started has joined as this rank.
bool supervisor::is_wrapper(unsigned rank) const {
  const pid_t joined_pid = pid_t(job_.memory.line(rank).pid.load(std::memory_order_relaxed));
  return joined_pid != 0 && joined_pid != ranks_[rank].pid;
}

const char* supervisor::consequence() const {
  if (job_.options.policy == node::failure_policy::abort) return "; ending the job";
  return job_.memory.has_started() ? "; the others go on" : "; the job cannot start without it";
}

void supervisor::fail(unsigned rank, const std::string& how) {
  watched_rank& it = ranks_[rank];
  it.failed = true;
  const int status = it.signal != 0 ? 128 + it.signal : it.exit_status != 0 ? it.exit_status : 1;
  if (exit_status_ == 0) exit_status_ = status;
  if (state_of(rank) == rank_state::finalized) return late_failures_.push_back(rank);
  job_.output.forward_rank(rank);  // its last words
  // A program whose wrapper has died may live on, and is no rank of the job.
  if (it.inner_watch >= 0) ::syscall(SYS_pidfd_send_signal, it.inner_watch, SIGKILL, nullptr, 0);

  std::string sentence = how;
  if (const std::string waiters = who_waited_for(take_snapshot(), rank); !waiters.empty()) {
    sentence += "; " + waiters;
  }
  sentence += consequence();
  note_failure(rank);
  job_.output.say(sentence);
  if (job_.options.policy == node::failure_policy::abort) begin_ending(grace_ns(kFailureGraceNs));
}

std::string supervisor::how_it_ended(unsigned rank) {
  const watched_rank& it = ranks_[rank];
  const std::string who = text("rank %u (pid %d)", rank, it.pid);
  const rank_state state = state_of(rank);
  const char* when = state == rank_state::absent      ? " before it joined the job"
                     : state == rank_state::finalized ? " after it left the job"
                                                      : "";
  if (it.signal != 0) {
    std::string hint;
    if (it.signal == SIGXFSZ)  // shared memory counts as a file
      hint = "; the limit of file sizes (ulimit -f) must be unlimited";
    if (it.signal == SIGKILL) hint = memory_kills_.explain(it.pid);
    return who + text(" was killed by signal %d (%s%s)%s%s", it.signal, ::strsignal(it.signal),
                      it.dumped_core ? ", core dumped" : "", when, hint.c_str());
  }
  if (it.exit_status == 0 && (state == rank_state::joined || state == rank_state::failed)) {
    return who + " left the job without finalize (exit status 0)";
  }
  const bool by_kill = is_wrapper(rank) && it.exit_status == 128 + SIGKILL;  // as a shell says it
  return who + text(" exited with status %d%s%s", it.exit_status, when,
                    by_kill ? memory_kills_.explain(it.pid).c_str() : "");
}

// One line for all that ended in the same way: mostly it is one mistake, made by every rank.
void supervisor::report_late_failures() {
  std::map<std::pair<int, int>, std::vector<unsigned>> alike;  // by signal and status
  for (unsigned rank : late_failures_) {
    alike[{ranks_[rank].signal, ranks_[rank].exit_status}].push_back(rank);
  }
  for (const auto& [end, ranks] : alike) {
    const auto [signal, status] = end;
    if (ranks.size() == 1) {
      job_.output.say(how_it_ended(ranks[0]));
    } else if (signal != 0) {
      job_.output.say(text("%zu ranks were killed by signal %d (%s) after they left the job",
                           ranks.size(), signal, ::strsignal(signal)));
    } else {
      job_.output.say(text("%zu ranks exited with status %d", ranks.size(), status));
    }
  }
}

// Called when no rank lives any more.
void supervisor::judge_end() {
  report_late_failures();
  if (ending_) return;
  judge_early_leavers();
  if (early_leavers_.empty()) return;
  job_.output.say(text(
      "%s ended without joining the job (is it a Ramjet program, one that calls ramjet::init, and "
      "does it get the environment that the launcher sets?)",
      job_.options.command[0].c_str()));
  if (exit_status_ == 0) exit_status_ = 1;
}

rank_state supervisor::state_of(unsigned rank) const {
  return rank_state(job_.memory.line(rank).state.load(std::memory_order_relaxed));
}

bool supervisor::has_come(unsigned rank) const {
  return job_.memory.line(rank).pid.load(std::memory_order_relaxed) != 0 ||
         state_of(rank) != rank_state::absent;
}

job_snapshot supervisor::take_snapshot() const {
  job_snapshot snapshot = read_waits(job_.memory.readable());
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
    rank_view& view = snapshot.ranks[rank];
    view.exited = ranks_[rank].exited;
    if (view.pid == 0) view.pid = ranks_[rank].pid;
  }
  return snapshot;
}

void supervisor::report(const std::string& headline) {
  job_snapshot snapshot = take_snapshot();
  for (rank_view& rank : snapshot.ranks) rank.process_state = report::read_process(rank.pid).state;
  read_lanes(job_.memory.readable(), snapshot, kWatchNs);
  job_.output.say_raw(hang_report(snapshot, headline));
  for (unsigned rank : ranks_to_ask(snapshot))
    base::ask(base::question::threads, ranks_[rank].inner_watch, snapshot.ranks[rank].pid);
}

}  // namespace ramjet::launcher
