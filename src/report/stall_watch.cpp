// SPDX-License-Identifier: Apache-2.0
#include "report/stall_watch.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "report/snapshot.hpp"

namespace ramjet::report {
namespace {

// The longest that any rank has been waiting.
std::uint64_t longest_wait_ns(const job_snapshot& s) {
  std::uint64_t longest = 0;
  for (unsigned rank = 0; rank < s.ranks.size(); ++rank) {
    if (s.ranks[rank].state != rank_state::joined) continue;
    const port_view* wait = s.longest_wait(rank);
    if (wait != nullptr && wait->since_ns < s.now_ns) {
      longest = std::max(longest, s.now_ns - wait->since_ns);
    }
  }
  return longest;
}

}  // namespace

stall_watch::stall_watch(std::uint64_t patience_ns) : patience_ns_(patience_ns) {
  if (patience_ns_ != 0) next_check_ns_ = base::now_ns() + patience_ns_ / 4;
}

bool stall_watch::check(const readable_job& job, std::uint64_t now_ns) {
  constexpr std::uint64_t kShortest = 10'000'000, kLongest = 1'000'000'000;
  // Who comes late was stopped, or had no processor, and perhaps the job with it.
  const std::uint64_t late_ns = now_ns - std::min(next_check_ns_, now_ns);
  if (changed_ns_ != 0) changed_ns_ += late_ns;
  next_check_ns_ = now_ns + std::clamp(patience_ns_ / 8, kShortest, kLongest);
  // Reading every counter is dear in a large job: only when somebody has waited for a while.
  const std::uint64_t waited_ns = longest_wait_ns(read_waits(job));
  if (waited_ns < patience_ns_ / 8) {
    changed_ns_ = 0;
    return false;
  }
  const std::uint64_t activity = read_activity(job);
  if (changed_ns_ == 0 || activity != activity_) {
    changed_ns_ = now_ns;
    reported_ = reported_ && activity == activity_;
    activity_ = activity;
    return false;
  }
  if (reported_ || waited_ns < patience_ns_ || now_ns - changed_ns_ < patience_ns_) return false;
  reported_ = true;
  return true;
}

}  // namespace ramjet::report
