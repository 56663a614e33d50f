// SPDX-License-Identifier: Apache-2.0
#include "report/node_report.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "base/bounded_writer.hpp"
#include "base/clock.hpp"
#include "base/report_request.hpp"
#include "report/process_info.hpp"
#include "report/report.hpp"
#include "report/snapshot.hpp"
#include "report/text.hpp"

namespace ramjet::report {

namespace {

// A launcher passes a signal on to every rank, and the ranks take it at about the same time: what
// they are asked within this time after a report, that report has answered.
constexpr std::uint64_t kAnsweredNs = 2'000'000'000;

// Readable: SIGUSR1 has come. Never closed: a signal that comes late writes to nothing else.
int asked_fd = -1;

void note_asking(base::question what) {
  if (what == base::question::everything) eventfd_write(asked_fd, 1);
}

bool was_asked() {
  eventfd_t count;
  return asked_fd >= 0 && eventfd_read(asked_fd, &count) == 0;
}

std::vector<unsigned> near_ranks(const membership& job) {
  std::vector<unsigned> near;
  for (unsigned r = 0; r < job.ranks; ++r)
    if (job.near(r)) near.push_back(r);
  return near;
}

}  // namespace

node_report::node_report(const membership& job, int object)
    : job_(job),
      object_(object),
      memory_(object, job.shared, job.node_of, job.node),
      readable_{job.node_of, std::vector<const node_memory*>(job.nodes)},
      stall_(job.settings.explain_after_ms * 1'000'000) {
  readable_.memories[job.node] = &memory_;
  if (asked_fd < 0) asked_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (asked_fd < 0) return;
  was_asked();  // in an earlier job
  base::on_report_request(note_asking);
}

node_report::~node_report() { ::close(object_); }

int node_report::descriptor() noexcept { return asked_fd; }

void node_report::check() {
  const std::uint64_t now = base::now_ns();
  if (was_asked() && take_turn(now)) {
    report("SIGUSR1");
    job_.shared->reported_ns.store(base::now_ns(), std::memory_order_relaxed);
  }
  if (stall_.next_check_ns() != 0 && now >= stall_.next_check_ns()) check_stall(now);
}

void node_report::check_stall(std::uint64_t now_ns) {
  if (!stall_.check(readable_, now_ns) || !speaks_for_node()) return;
  report("no progress for " + duration_text(job_.settings.explain_after_ms * 1'000'000));
  const job_snapshot now = read_waits(readable_);
  for (unsigned rank : ranks_to_ask(now))
    base::ask(base::question::threads, -1, now.ranks[rank].pid);
}

// Whether it is for this rank to answer what it was asked.
bool node_report::take_turn(std::uint64_t now_ns) {
  std::atomic<std::uint64_t>& last = job_.shared->reported_ns;
  std::uint64_t seen = last.load(std::memory_order_relaxed);
  const bool answered = seen != 0 && now_ns - std::min(now_ns, seen) < kAnsweredNs;
  return !answered && last.compare_exchange_strong(seen, now_ns, std::memory_order_relaxed);
}

// Whether no rank before this one can: each has left, or is dead or stopped.
bool node_report::speaks_for_node() const {
  for (unsigned r : near_ranks(job_)) {
    if (int(r) == job_.rank) break;
    const rank_line& line = job_.line(r);
    if (rank_state(line.state.load(std::memory_order_relaxed)) != rank_state::joined) continue;
    const process_info info = read_process(pid_t(line.pid.load(std::memory_order_relaxed)));
    if (info.is_alive() && info.state != 'T' && info.state != 't') return false;
  }
  return true;
}

void node_report::report(const std::string& why) {
  job_snapshot snapshot = read_waits(readable_);
  for (rank_view& rank : snapshot.ranks) {
    if (!rank.seen) continue;
    const process_info info = read_process(rank.pid);
    rank.process_state = info.state;
    rank.exited = !info.is_alive();
  }
  read_lanes(readable_, snapshot, kWatchNs);
  const std::vector<unsigned> near = near_ranks(job_);
  std::string headline = why + ": what " + ranks_text(near);
  if (job_.nodes > 1) {
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    headline += text(" on node %u (%s)", job_.node, name);
  }
  headline += near.size() == 1 ? " is doing" : " are doing";
  // The streams of the C library may be held by a thread that hangs.
  base::bounded_writer(STDERR_FILENO).write(hang_report(snapshot, headline));
}

}  // namespace ramjet::report
