// SPDX-License-Identifier: Apache-2.0
#include "ramjet/ult/detail/wait_queue.hpp"

#include <sched.h>

#include "ramjet/ult/condition.hpp"
#include "ult/parts.hpp"
#include "ult/wait_lists.hpp"

namespace ramjet::ult::detail {

namespace {

// A waiter with a deadline: the group's only condition is the time.
struct timed : posted_group {
  waiter* one = nullptr;
  place at;
};

// Takes the waiter out before its time; false if somebody has popped it, or is about to.
bool take_out(waiter& one) {
  wait_queue& q = *one.queue;
  q.lock();
  const bool mine = one.queued && (one.give_up == nullptr || one.give_up(one));
  if (mine) q.remove(one);
  q.unlock();
  return mine;
}

bool withdraw_waiter(blocked_on& why) { return take_out(static_cast<waiter&>(why)); }

bool claim_timed(posted_group& g) { return take_out(*static_cast<timed&>(g).one); }

}  // namespace

void wait_queue::lock_slow() noexcept {
  constexpr unsigned kSpins = 1000;  // then its holder has probably lost its processor
  for (unsigned i = 0; guard_.exchange(1, std::memory_order_acquire) != 0;)  // pairs: ult.guard
    while (guard_.load(std::memory_order_relaxed) != 0) {
      if (++i % kSpins == 0)
        sched_yield();
      else
        ramjet::detail::cpu_relax();
    }
}

bool wait_in(wait_queue& q, waiter& one, cancellation may_cancel, time_point deadline) {
  worker* w = this_worker();
  control* me = w->self;
  one.thread = me;
  if (may_cancel == cancellable) {
    if (is_cancelled(me->who) && (one.give_up == nullptr || one.give_up(one))) {
      q.unlock();
      throw_if_cancelled(w);
    }
    one.withdraw = withdraw_waiter;
  }
  if (deadline == kNoDeadline) {
    q.push(one);
    q.unlock();
    if (suspend(w, one) == wake::cancelled) throw_if_cancelled(this_worker());
    return true;
  }
  timed t;
  t.one = &one;
  t.thread = me;
  t.places = &t.at;
  t.count = 1;
  t.claim = claim_timed;
  t.at.group = &t;
  ++me->pins;  // its deadline stands on this worker's wait list
  post_deadline(w, ns_of(deadline), &t.at);
  q.push(one);
  q.unlock();
  const wake by = suspend(w, one);
  --me->pins;
  unpost(w, t);
  if (by == wake::cancelled) throw_if_cancelled(w);
  return by != wake::timed_out;
}

}  // namespace ramjet::ult::detail
