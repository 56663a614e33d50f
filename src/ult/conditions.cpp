// SPDX-License-Identifier: Apache-2.0
#include "ramjet/ult/condition.hpp"

#include "base/clock.hpp"
#include "ramjet/ult/thread.hpp"
#include "ult/parts.hpp"
#include "ult/wait_lists.hpp"

namespace ramjet::ult {

namespace detail {

// steady_clock is CLOCK_MONOTONIC in ns here.
std::uint64_t ns_of(std::chrono::steady_clock::time_point when) noexcept {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch());
  return ns.count() > 0 ? std::uint64_t(ns.count()) : 1;
}

bool has_passed(std::uint64_t when_ns) noexcept { return base::now_ns() >= when_ns; }

namespace {

bool withdraw_group(blocked_on& why) {
  auto& g = static_cast<posted_group&>(why);
  if (g.count == 0) return false;
  unpost(this_worker(), g);
  return true;
}

}  // namespace

void wait_for_group(worker* w, posted_group& g, cancellation may_cancel) {
  control* me = w->self;
  g.thread = me;
  if (may_cancel == cancellable) g.withdraw = withdraw_group;
  ++me->pins;  // its conditions stand on this worker's wait lists
  me->waits = &g;
  const item next = next_after_posting(w);
  if (next != item_of(me)) go_on(w, me, next);
  me->waits = nullptr;
  --me->pins;
  if (me->woken_by == wake::cancelled) throw_if_cancelled(this_worker());
}

}  // namespace detail

void this_thread::sleep_until(std::chrono::steady_clock::time_point when) {
  wait_until(deadline(when));
}

}  // namespace ramjet::ult
