// SPDX-License-Identifier: Apache-2.0
#include "report/watch.hpp"

#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/clock.hpp"
#include "base/open_files.hpp"
#include "base/signals.hpp"
#include "base/system.hpp"

namespace ramjet::report {

namespace {

std::string cannot_watch(unsigned rank, int error) {
  return "cannot watch the process of rank " + std::to_string(rank) + ": " + std::strerror(error) +
         "; " + watch_remedy(error);
}

}  // namespace

process_watch::~process_watch() {
  for (int d : descriptors_) close(d);
}

bool process_watch::begin(std::string& message) {
  base::raise_open_files();
  for (unsigned r = 0; r < job_.ranks; ++r) {
    if (int(r) == job_.rank || !job_.near(r)) continue;
    const auto pid = pid_t(job_.line(r).pid.load(std::memory_order_relaxed));
    const int descriptor = int(syscall(SYS_pidfd_open, pid, 0));
    if (descriptor >= 0) {
      descriptors_.push_back(descriptor);
      ranks_.push_back(r);
    } else if (errno == ESRCH) {
      if (const seen_death death = note_death(r); death.rank >= 0) early_.push_back(death);
    } else {
      message = cannot_watch(r, errno);
      return false;
    }
  }
  return true;
}

seen_death process_watch::note_death(unsigned rank) {
  if (rank_state(job_.line(rank).state.load(std::memory_order_relaxed)) == rank_state::finalized)
    return {};
  // How the process ended is known to its parent alone.
  const bool first =
      report_failure(job_.shared, job_.layout.segments_offset, rank, 0, kStatusUnknown);
  return {int(rank), first};
}

seen_death process_watch::on_ready(int descriptor) {
  const auto found = std::find(descriptors_.begin(), descriptors_.end(), descriptor);
  if (found == descriptors_.end()) return {};
  const auto index = found - descriptors_.begin();
  const unsigned rank = ranks_[std::size_t(index)];
  close(descriptor);
  descriptors_.erase(found);
  ranks_.erase(ranks_.begin() + index);
  return note_death(rank);
}

bool node_watch::start(std::function<void(const seen_death&)> on_death, std::string& message) {
  on_death_ = std::move(on_death);
  stop_ = eventfd(0, EFD_CLOEXEC);
  if (stop_ < 0 || !loop_.open() || !loop_.watch(stop_, source::stop)) {
    message = std::string("cannot watch the ranks of this machine: ") + std::strerror(errno) +
              "; " + watch_remedy(errno);
    return false;
  }
  if (!watch_.begin(message)) return false;
  bool all_watched = true;
  for (int d : watch_.descriptors())
    all_watched = all_watched && loop_.watch(d, source::process, std::uint32_t(d));
  const int asked = node_report::descriptor();
  if (!all_watched || (asked >= 0 && !loop_.watch(asked, source::report))) {
    message = base::watch_problem(errno);
    return false;
  }
  const base::signals_blocked none;
  try {
    thread_ = std::thread(&node_watch::run, this);
  } catch (const std::system_error& e) {
    message = std::string("cannot start a thread that watches the ranks of this machine: ") +
              e.what() + "; raise the limit of processes (ulimit -u)";
    return false;
  }
  return true;
}

node_watch::~node_watch() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(stop_, &one, sizeof one));  // cannot fail: the counter is 0
    thread_.join();
  }
  if (stop_ >= 0) close(stop_);
}

void node_watch::run() {
  for (const seen_death& death : watch_.take_early_deaths()) on_death_(death);
  bool is_over = false;
  const auto handle = [&](source what, std::uint32_t index) {
    if (what == source::stop) is_over = true;
    if (what != source::process || is_over) return;
    loop_.forget(int(index));
    if (const seen_death death = watch_.on_ready(int(index)); death.rank >= 0) on_death_(death);
  };
  while (!is_over) {
    const std::uint64_t due_ns = other_ ? other_(base::now_ns()) : 0;
    const std::uint64_t check_ns = report_.next_check_ns();
    loop_.wait(due_ns == 0 || (check_ns != 0 && check_ns < due_ns) ? check_ns : due_ns, handle);
    if (!is_over) report_.check();
  }
}

}  // namespace ramjet::report
