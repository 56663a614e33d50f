// SPDX-License-Identifier: Apache-2.0
// Waiting: spin while a core is ours, yield when others want it, sleep when nothing comes. The
// sleeper pays for the protocol; senders only load a word that they load anyway.
//
// Sleep and wake, per port. The sleeper: asleep = 1, attended = 0 on every lane, barrier on all
// processors, one more poll, sleep while asleep == 1. The sender: record, compiler fence, load of
// attended. Either the sender's load comes after the barrier and sees 0, so it rings; or its
// record came before the barrier and the last poll finds it. A ringer clears asleep before it
// wakes, so a wake between the poll and the sleep is not lost.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "am/collective_state.hpp"
#include "am/coproc.hpp"
#include "am/engine_cold.hpp"
#include "am/runtime.hpp"
#include "am/shown_name.hpp"
#include "base/backoff.hpp"
#include "base/clock.hpp"
#include "base/futex.hpp"
#include "job/join.hpp"
#include "ramjet/detail/am/engine.hpp"
#include "ramjet/detail/base/probe.hpp"
#include "ult/network.hpp"

namespace ramjet::detail {

namespace {
// Between tests of memory that others write without a message.
constexpr std::uint64_t kTestNs = 100'000'000;
constexpr std::uint64_t kFirstTestNs = 100'000;
constexpr std::uint64_t kSleepNsMin = 1'000'000, kSleepNsMax = 1'000'000'000;
constexpr std::uint64_t kBlindSleepNs = 500'000;  // where a wake can be missed
}  // namespace

// Shows the wait in reports of why the job hangs.
void engine::show_wait(waiting& w) {
  w.shown = true;
  if (w.since_ns == 0) w.since_ns = base::now_ns();
  const waiting& described = w.of_threads ? first_wait_of_threads(w) : w;
  const auto name = shown_name(described.name);
  for (unsigned i = 0; i < 4; ++i) port_->wait_name[i].store(name[i], std::memory_order_relaxed);
  port_->wait_target.store(described.target, std::memory_order_relaxed);
  const waiting_threads whose = !w.of_threads                    ? kOwnerWaits
                                : ult::detail::dumps_on_signal() ? kThreadsAnswer
                                                                 : kThreadsDoWait;
  port_->wait_threads.store(whose, std::memory_order_relaxed);
  port_->wait_since_ns.store(w.since_ns, std::memory_order_relaxed);
  RAMJET_PROBE(wait, "-4@%[target] 8@%[name]", [target] "m"(w.target), [name] "r"(w.name));
  port_->waiting.store(1, std::memory_order_release);  // pairs: am.wait_shown
}

// What ends by its deadline is not progress. A part of a wait leaves that as it is, then.
void engine::end_wait(waiting& w) {
  const bool timed_out = w.deadline_ns != 0 && base::now_ns() >= w.deadline_ns;
  if (timed_out && w.in_parts) return;
  w.shown = false;
  RAMJET_PROBE(waited, "-4@%[target] 8@%[name]", [target] "m"(w.target), [name] "r"(w.name));
  port_->waiting.store(0, std::memory_order_relaxed);
  if (timed_out || parts_->collectives.in_vain_since_ns != 0) return;
  std::atomic<std::uint64_t>& ended = job::self().line(unsigned(rank_)).progress;
  ended.fetch_add(1, std::memory_order_relaxed);
}

// A wait's turn after its spin budget. retry: the engine is armed for sleep (see wait).
status engine::idle_slow(waiting& w) {
  if (!w.hidden && (!w.shown || port_->waiting.load(std::memory_order_relaxed) == 0)) show_wait(w);
  note_failures_in_turn();
  if (failures_noted_ != 0) {
    if (status s = after_failure(w); s != status::ok) return s;
    fail_calls_to_departed();
  }
  if (!parts_->refusals.empty()) report_refusals();
  if (target_is_gone(w)) return status::peer_failed;
  if (w.deadline_ns != 0 || w.overdue != nullptr) {
    const std::uint64_t now = base::now_ns();
    if (w.deadline_ns != 0 && now >= w.deadline_ns) return status::timed_out;
    call_if_overdue(w, now);
  }
  // A thread that sleeps gets the processor as soon as it is woken; one that has yielded to a busy
  // main program waits until that one's turn is over.
  const bool sleeps_at_once =
      (coprocessor_ != 0 && endpoint_ == coprocessor_ && coprocessors_are_crowded()) ||
      (!holds_messages() && base::sleeps_for_yield(spin_));
  if (holds_messages() || !sleeps_at_once) {
    const bool sleep_is_due = base::yield_in_wait(spin_, w.turns);
    parts_->yielded_at_poll = polls_;
    if (!sleep_is_due || holds_messages()) return status::ok;
    if (parts_->pumps && parts_->network->pause_ns() == 0) return status::ok;
  }
  const std::uint64_t arms_ns = base::now_ns();
  arm(w);
  base::learn_from_sleep(spin_, base::now_ns() - arms_ns);
  if (parts_->network->prepare_sleep()) return status::retry;
  disarm(w);
  if (sleeps_at_once) base::yield_and_learn(spin_);
  return status::ok;
}

// Again after twice the time: what was done about it may have been in vain.
void engine::call_if_overdue(waiting& w, std::uint64_t now_ns) {
  if (w.overdue == nullptr || now_ns - w.since_ns < w.overdue_after_ns) return;
  w.overdue_after_ns *= 2;
  w.overdue(*this, w);
}

// Whether the wait has to end though messages keep coming.
status engine::busy_slow(waiting& w) {
  constexpr unsigned kTestEvery = 1024;  // turns between two tests of the target
  if (failures_noted_ != 0) {
    if (status s = after_failure(w); s != status::ok) return s;
    if (++w.busy % kTestEvery == 0 && target_is_gone(w)) return status::peer_failed;
  }
  return w.deadline_ns != 0 && base::now_ns() >= w.deadline_ns ? status::timed_out : status::ok;
}

// A sleeper owes nobody credit: a rank that waits for it would wait as long as this rank sleeps.
void engine::arm(const waiting& w) {
  for (unsigned i = 0; i < active_count_; ++i)
    if (owes_credit(*active_[i])) publish(*active_[i]);
  if (w.room_at != nullptr) w.room_at->in_credit->room_wanted.store(1, std::memory_order_relaxed);
  armed_ = true;
  // store-load: am.sleep (owner)
  port_->asleep.store(1, std::memory_order_seq_cst);
  for (unsigned i = 0; i < active_count_; ++i)
    active_[i]->in_credit->attended.store(0, std::memory_order_relaxed);
  // store-load: am.sleep, am.failure (owner)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  // store-load: am.attended, am.room, gas.gate (owner)
  if (job::self().barrier_ok) base::global_barrier();
}

void engine::disarm(const waiting& w) {
  armed_ = false;
  if (w.room_at != nullptr) w.room_at->in_credit->room_wanted.store(0, std::memory_order_relaxed);
  port_->asleep.store(0, std::memory_order_relaxed);
  for (unsigned i = 0; i < active_count_; ++i)
    active_[i]->in_credit->attended.store(1, std::memory_order_relaxed);
}

void engine::sleep(waiting& w) {
  const node::board* b = job::self().shared;
  if (b->failures.load(std::memory_order_relaxed) != board_failures_) return;
  const std::uint64_t most = !job::self().barrier_ok ? kBlindSleepNs
                             : w.messages_only       ? kSleepNsMax
                                                     : kTestNs;
  const std::uint64_t first = w.messages_only ? kSleepNsMin : kFirstTestNs;
  std::uint64_t time = base::next_sleep_ns(w.turns, first, most);
  if (w.deadline_ns != 0) {
    const std::uint64_t now = base::now_ns();
    time = std::min(time, w.deadline_ns > now ? w.deadline_ns - now : 1);
  }
  base::leave_processor(spin_);
  base::futex_wait(port_->asleep, 1, time);
  base::take_processor(spin_);
  if (parts_->pumps) pump_soon();  // a channel's news may have woken it
}

// Whether the rank waited for gave up after a death and left. What it had sent before is there by
// the second time that this is called.
bool engine::target_is_gone(waiting& w) const {
  if (w.target < 0 || failures_noted_ == 0) return false;
  const bool seen_before = w.target_left;
  w.target_left = job::has_left(unsigned(w.target));
  return seen_before;
}

// What a death means for a wait. With the default policy the launcher is about to end this process.
status engine::after_failure(const waiting& w) {
  if (!job::self().carry_on) await_the_end();
  if (w.target >= 0 && is_dead(*this, unsigned(w.target))) {
    failures_reported_ = failures_noted_;
    return status::peer_failed;
  }
  const bool is_told = failures_reported_ == failures_noted_;
  if (!w.any_death || (is_told && !w.told_deaths)) return status::ok;
  failures_reported_ = failures_noted_;
  return status::peer_failed;
}

// In polls and waits: what had come from a dead rank over a network is handled before its death is
// noted, answers to calls among it. A poll comes in between.
void engine::note_failures_in_turn() {
  constexpr int kLastPumps = 4;  // every other one receives
  engine_cold& x = *parts_;
  const job::membership& m = job::self();
  const std::uint32_t failures =
      m.shared->failures.load(std::memory_order_acquire);  // pairs: job.failure
  if (failures == board_failures_) [[likely]]
    return;
  if (!x.pumps || !m.carry_on) return note_failures();
  if (failures == x.failures_seen) {
    if (polls_ != x.failures_seen_at_poll) note_failures();
    return;
  }
  x.failures_seen = failures;
  x.failures_seen_at_poll = polls_;
  const bool in_poll = std::exchange(is_.polling, true);  // what answers bring about may not wait
  for (int i = 0; i < kLastPumps; ++i) arrivals_ += x.network->pump();
  is_.polling = in_poll;
  pump_soon();
}

void engine::note_failures() {
  const job::membership& m = job::self();
  const std::uint32_t failures =
      m.shared->failures.load(std::memory_order_acquire);  // pairs: job.failure
  if (failures == board_failures_) [[likely]]
    return;
  board_failures_ = failures;
  // No call may report a death that is about to be ours: the others may have given this rank up.
  const auto own = m.line(unsigned(rank_)).state.load(std::memory_order_relaxed);
  if (!m.carry_on || node::rank_state(own) == node::rank_state::failed) await_the_end();
  for (unsigned r = 0; r < m.ranks; ++r)
    if (node::rank_state(m.line(r).state.load(std::memory_order_relaxed)) ==
        node::rank_state::failed)
      note_death(r);
}

void engine::note_death(unsigned rank) {
  if (is_dead(*this, rank)) return;
  RAMJET_PROBE(death, "4@%[rank]", [rank] "r"(rank));
  parts_->rank_dead[rank] = true;
  ++failures_noted_;
  remember_failure(rank);
  for (unsigned e = 0; e < ports_per_rank_; ++e) close_way_to(peers_[rank * ports_per_rank_ + e]);
  fail_calls(*this, int(rank));
}

// Ends the calls to ranks that left after a death, and drops what is chained to them, when each is
// seen to have left for the second time: what it had sent before is there by then.
void engine::fail_calls_to_departed() {
  for (unsigned r = 0; r < ranks_; ++r) {
    if (!job::has_left(r)) continue;
    if (parts_->rank_left[r]) {
      fail_calls(*this, int(r));
      for (unsigned e = 0; e < ports_per_rank_; ++e) drop_held(port_of(r, e));
    }
    parts_->rank_left[r] = true;
  }
}

// A channel gave a link up by itself: to this rank the peer's rank is as good as dead.
void engine::lose_link(peer& p) {
  if (!job::self().carry_on) {
    char text[80];
    std::snprintf(text, sizeof text, "the link to rank %u is lost", p.rank);
    die(text);
  }
  note_death(p.rank);
}

// Nothing more is sent to a dead peer; what had arrived from it is still handled.
void engine::close_way_to(peer& p) {
  activate(p);
  block(p, kDead);
  drop_held(p);
  parts_->network->stop_sending(p.port);
}

}  // namespace ramjet::detail
