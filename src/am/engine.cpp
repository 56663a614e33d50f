// SPDX-License-Identifier: Apache-2.0
// The cold half of the engine: opening and closing, which lanes polls visit, bells, chores.
#include "ramjet/detail/am/engine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <utility>

#include "am/accesses.hpp"
#include "am/call_order.hpp"
#include "am/chain.hpp"
#include "am/collective_state.hpp"
#include "am/coproc.hpp"
#include "am/coproc_flush.hpp"
#include "am/engine_cold.hpp"
#include "am/payload.hpp"
#include "am/runtime.hpp"
#include "am/serving.hpp"
#include "base/backoff.hpp"
#include "base/clock.hpp"
#include "base/futex.hpp"
#include "base/machine_profile.hpp"
#include "job/join.hpp"
#include "lane/shared_lane.hpp"
#include "node/region.hpp"
#include "node/wake.hpp"

namespace ramjet::detail {

namespace {
// Of processors.
node::region turns("am.turns", [](const node::shape&) -> std::uint64_t {
  return base::kProcessorLines * sizeof(base::processor_turns);
});
// Of ports.
node::region running("am.running", [](const node::shape& s) -> std::uint64_t {
  return s.ports() * sizeof(base::running_on);
});
}  // namespace

constinit port_line no_port{};
engine no_engine;
// Its polls and waits take the cold way, which ends the process (threads.cpp).
[[maybe_unused]] static const bool no_engine_refuses = (no_engine.serve_threads(true), true);

constinit thread_local engine* engine_of_thread = &no_engine;

engine::engine() noexcept = default;

engine::~engine() {
  if (is_open()) close();
}

void engine::open(unsigned endpoint) {
  const job::membership& m = job::self();
  const node::geometry& g = m.layout;
  const unsigned me = unsigned(m.rank) * g.endpoints + endpoint;
  parts_ = owned<engine_cold>(new engine_cold);
  std::string message;
  if (channel::open_channel(m.settings.channel, me, parts_->network, message) != status::ok)
    die(message.c_str());
  parts_->pumps = parts_->network->pumps();
  if (coprocessors_run() && endpoint + 1 != g.endpoints) start_coproc_flush(*parts_->network);
  parts_->bells = ramjet::lane::bells_of(me);
  parts_->rank_dead.assign(m.ranks, false);
  parts_->rank_left.assign(m.ranks, false);
  choose_servers(*this);
  parts_->chain_limit_bytes = m.settings.chain_limit_bytes;
  rank_ = m.rank;
  endpoint_ = endpoint;
  ranks_ = m.ranks;
  ports_per_rank_ = g.endpoints;
  endpoints_ = g.endpoints - (coprocessors_run() ? 1 : 0);
  coprocessor_ = coprocessors_run() ? endpoints_ : 0;
  set_rings();
  load_tuning();
  segment_base_ = g.segment_base;
  segment_bytes_ = g.segment_bytes;
  spin_.budget = m.oversubscribed || coprocessors_are_crowded() ? 4 : 1024;
  parts_->turns = {turns.as<base::processor_turns>(), running.as<base::running_on>(), g.ports, me};
  spin_.turns = &parts_->turns;
  base::take_processor(spin_);
  port_ = &node::port(me);
  const bool serves = coprocessor_ != 0 && endpoint == coprocessor_;
  RAMJET_CHECK(open_port(*port_, serves ? kOpenCoprocessor : kOpen),
               "this endpoint index is open or was used before: an index is opened once in a job");
  rings_seen_ = port_->rings.load(std::memory_order_relaxed) - 1;  // the first poll reads the bells
  requests_ = request_handlers();
  replies_ = reply_handlers();
  blocks_ = parts_->open_blocks(requests_.count, g.ports);
  active_storage_ = owned<peer*[]>(new peer*[g.ports]());
  active_ = active_storage_.get();
  peers_ = owned_array<peer>(g.ports);
  for (unsigned i = 0; i < g.ports; ++i) {
    peer& p = peers_[i];
    const channel::link l = parts_->network->connect(i);
    p.out_lane = l.out;
    p.in_lane = l.in;
    p.out = l.out.records;
    p.in = l.in.records;
    p.out_credit = l.out.credit;
    p.in_credit = l.in.credit;
    p.count = ramjet::lane::counters_of(me) + i;
    p.port = i;
    p.rank = i / ports_per_rank_;
    p.far = !m.near(p.rank);
  }
  open_trace(me);
  parts_->collectives.open(*this);
  parts_->pump_every = parts_->pumps ? 1 : kChoresEvery;
  set_chores();
  if (endpoint == 0) start_serving({parts_->network.get(), &parts_->pumps_made, port_}, me);
}

bool engine::is_leaving() const noexcept { return endpoint_ == 0 || endpoint_ == coprocessor_; }

// Others count on what this endpoint has begun: all_store_sync on its stores, its thread's next
// sync on the rest. Each call's end is its answer or its target's death. A rank that leaves after a
// death waits for nobody.
void engine::close() {
  const bool leaves = is_leaving();
  waiting w{.name = "closing (answers)", .any_death = false, .messages_only = true};
  static_cast<void>(wait(w, [this, leaves] {
    return (!holds_messages() && calls_.awaited == 0) || (leaves && failures_noted_ != 0);
  }));
  if (!leaves)
    while (poll() != 0) {  // what has come by now was sent in time
    }
  for (unsigned i = 0; i < active_count_; ++i)  // senders tell by it what was taken (is_taken)
    if (owes_credit(*active_[i])) publish(*active_[i]);
  // Before this endpoint says good-bye: a peer that reads the good-bye and closes, too, returns no
  // credit for what it has taken, and checks itself that it has taken all (check_nothing_came).
  if (!leaves)
    for (const peer& p : peers_) static_cast<void>(is_refused(p));
  is_.polling = true;  // what answers bring about may not wait
  drain();
  report_last_refusals();
  end_coproc_flush(*parts_->network);
  if (endpoint_ == 0) end_serving();
  fail_awaited_calls(*this);
  is_.polling = false;
  if constexpr (kAudits) audit();
  close_port(*port_);
  for (unsigned i = 0; i < active_count_; ++i)  // may sleep until there is room for answers
    if (active_[i]->answered != active_[i]->tail) ring_if_needed(*active_[i]);
  if (!leaves) check_nothing_came();
  for (peer& p : peers_) {
    parts_->network->disconnect(p.port);
    delete p.marks;
    delete p.chain;
  }
  peers_ = {};
  active_count_ = 0;
  port_ = &no_port;
  base::leave_processor(spin_);
  spin_.turns = nullptr;
  rings_seen_ = 0;
  chores_mask_ = 0;
  ranks_ = 0;
  blocks_ = nullptr;
  calls_.clear();
  parts_ = {};
}

// What was sent leaves; nothing is handled any more.
void engine::drain() {
  constexpr unsigned kYields = 1000, kPauseUs = 100;
  waiting w{.name = "closing (the network)"};
  for (unsigned turn = 0; parts_->pumps && !parts_->network->drained(); ++turn) {
    if (turn == kYields) show_wait(w);
    if (parts_->network->pump() != 0) {
      turn = 0;
    } else if (turn < kYields) {
      ::sched_yield();
    } else {
      ::usleep(kPauseUs);
    }
    note_failures();
  }
  if (w.shown) end_wait(w);
}

void engine::set_chores() noexcept {
  const bool every_poll = (parts_->pumps && parts_->pump_every == 1) || holds_messages();
  chores_mask_ = every_poll ? 0 : std::min(parts_->pump_every, kChoresEvery) - 1;
}

// Pumps as often as the network asks for, by the time that polls have taken lately.
unsigned engine::pump() {
  constexpr std::uint64_t kMost = 64 * kChoresEvery;
  engine_cold& x = *parts_;
  x.polls_unpumped += chores_mask_ + 1;
  if (x.polls_unpumped < x.pump_every) return 0;
  x.polls_unpumped = 0;
  bump(x.pumps_made);
  const unsigned moved = x.network->pump();
  for (int port; (port = x.network->take_lost()) >= 0;) lose_link(peers_[unsigned(port)]);
  if (const std::uint64_t pause = x.network->pause_ns(); pause == 0) {
    x.pump_every = 1;
    x.pumped_ns = 0;
  } else {
    const std::uint64_t now = base::now_ns();
    const std::uint64_t took = now - std::exchange(x.pumped_ns, now);
    if (took > pause) {
      x.pump_every = std::max<std::uint64_t>(1, x.pump_every / 2);
    } else if (took * 2 < pause) {
      x.pump_every = std::min(kMost, x.pump_every * 2);
    }
  }
  set_chores();
  return moved;
}

void engine::block(peer& p, block_reason why) {
  p.blocked = std::uint8_t(p.blocked | why);
  p.line_end = 0;
  p.limit = 0;
}

void engine::unblock(peer& p, block_reason why) {
  p.blocked = std::uint8_t(p.blocked & ~why);
  if (p.blocked != 0) return;
  p.limit = p.answered + mask_ + 1;
  p.line_end = (p.tail + kLineWords - 1) & ~std::uint64_t{kLineWords - 1};
}

void engine::activate(peer& p) {
  if (p.active) return;
  p.active = true;
  p.idle = 0;
  active_[active_count_++] = &p;
  p.in_credit->attended.store(armed_ ? 0 : 1, std::memory_order_relaxed);
  unblock(p, kInactive);
}

// Takes a lane that has been quiet out of the polls: its sender has to ring. A record published
// before the sender could see the new word is found by the visit after the barrier, or by the sweep
// where the system has no such barrier.
void engine::deactivate(peer& p) {
  p.in_credit->attended.store(0, std::memory_order_relaxed);
  // store-load: am.attended (owner)
  if (job::self().barrier_ok) base::global_barrier();
  p.active = false;
  block(p, kInactive);
  for (unsigned i = 0; i < active_count_; ++i) {
    if (active_[i] != &p) continue;
    active_[i] = active_[--active_count_];
    break;
  }
  if (const unsigned handled = take_requests(p); handled != 0) {
    activate(p);
    arrivals_ += handled;
  }
}

void engine::idle_peer(peer& p) {
  constexpr unsigned kQuietVisits = 2048;
  constexpr unsigned kAlwaysActive = 2;
  if (owes_credit(p)) publish(p);
  const bool outstanding = p.answered != p.tail && (p.blocked & kDead) == 0;
  if (armed_) return;  // the poll before a sleep visits every lane
  if (parts_->holds) return;  // the lane may hold requests for which nobody rings again
  if (p.idle >= kQuietVisits && active_count_ > kAlwaysActive && !outstanding &&
      (p.blocked & (kChained | kGathering | kDepositing)) == 0)
    deactivate(p);
}

void engine::deposit_far(peer& p, void* destination, const void* data, std::size_t bytes,
                         bool handles) {
  const std::uint64_t at = reinterpret_cast<std::uintptr_t>(destination) - segment_base_;
  const channel::piece all{static_cast<const std::byte*>(data), bytes};
  if (is_.polling) {
    parts_->network->deposit_in_handler(p.port, at, all);
    return check_waiting_bytes(*parts_);
  }
  channel::deposit_under_way d{at, all};
  if (parts_->network->deposit(p.port, d)) return;
  // The caller's record stands at the peer's tail: what others chain to this peer queues.
  const std::uint64_t line_end = p.line_end;
  block(p, kDepositing);
  if (handles) {
    await_deposit(p, d);
  } else {
    finish_deposit(p, d);
  }
  unblock(p, kDepositing);
  if (p.blocked == 0) p.line_end = line_end;
}

void engine::await_deposit(peer& p, channel::deposit_under_way& d) {
  pump_soon();
  waiting w{.name = "request_long (the network is full)",
            .target = int(p.rank),
            .any_death = false,  // its first bytes are sent
            .messages_only = true};
  const unsigned reported = failures_reported_;
  if (wait(w, [&] { return parts_->network->deposit(p.port, d); }) == status::ok) return;
  failures_reported_ = reported;  // the next call tells it: this one only ends
  parts_->network->stop_sending(p.port);  // the bytes are the caller's again
}

// Without a poll: a call that returns at once where a lane is full handles nothing.
void engine::finish_deposit(peer& p, channel::deposit_under_way& d) {
  is_.polling = true;  // what answers bring about may not wait
  while (!parts_->network->deposit(p.port, d))
    if (parts_->network->pump() == 0) ::sched_yield();
  is_.polling = false;
}

void engine::ring(peer& p) {
  parts_->network->rung(p.port, p.out_lane, is_.polling);
  if (parts_->pumps) pump_soon();
}

void engine::pump_soon() noexcept {
  stay_awake();
  parts_->pump_every = 1;
  chores_mask_ = 0;
}

unsigned engine::answer_bells(std::uint32_t rings) {
  rings_seen_ = rings;
  unsigned handled = 0;
  for (unsigned row = 0; row * 8 < peers_.size(); ++row) {
    std::uint64_t rung = parts_->bells[row].load(std::memory_order_relaxed);
    while (rung != 0) {
      const unsigned byte = unsigned(std::countr_zero(rung)) / 8;
      rung &= ~(std::uint64_t{0xff} << (byte * 8));
      const unsigned port = row * 8 + byte;
      RAMJET_CHECK(port < peers_.size(), "a bell rang for no port of this job");
      peer& p = peers_[port];
      p.in_lane.bell->exchange(0, std::memory_order_acquire);  // pairs: am.bell
      activate(p);
      handled += visit(p);
    }
  }
  return handled;
}

void engine::set_rings() noexcept {
  const ramjet::lane::lane_shape& rings = ramjet::lane::job_shape();
  mask_ = rings.ring_words - 1;
  ring_shift_ = unsigned(std::countr_zero(rings.ring_words));
  payload_bytes_ = rings.payload_bytes;
  credit_words_ = rings.ring_words / 4;
  credit_payload_ = rings.payload_bytes / 4;
}

void engine::load_tuning() noexcept {
  ahead_words_ = base::machine(base::figure::lines_ahead) * kLineWords;
}

unsigned engine::chores() {
  if (!parts_) no_endpoint("poll");
  unsigned handled = 0;
  if (chain_bytes_ != 0)
    for (peer& p : peers_)
      if (p.blocked & kChained) handled += flush_chain(p);
  if (gathering_ != 0) handled += send_gathered_if_due();
  if (parts_->pumps && holds_messages()) drop_refused();
  note_failures_in_turn();
  if (failures_noted_ != 0) fail_calls_to_departed();
  renew_credit();
  load_tuning();  // probes change them
  if constexpr (kAudits) audit_next();
  if (handled != 0)
    parts_->yielded_at_poll = polls_;
  else
    yield_if_polling_in_vain();
  if (!job::self().barrier_ok && !parts_->holds) {
    parts_->sweep = (parts_->sweep + 1) % unsigned(peers_.size());
    peer& p = peers_[parts_->sweep];
    if (!p.active && take_requests(p) != 0) {
      activate(p);
      ++handled;
    }
  }
  if (parts_->pumps) handled += pump();  // last: what this poll has brought about leaves with it
  return handled;
}

// A program's own loop of polls would keep the core from the rank that it waits for. Waits yield by
// themselves, and seldom poll that often between two yields.
void engine::yield_if_polling_in_vain() {
  engine_cold& x = *parts_;
  if (armed_ || polls_ - x.yielded_at_poll < std::max<std::uint64_t>(kChoresEvery, spin_.budget))
    return;
  x.yielded_at_poll = polls_;
  if (!x.refusals.empty()) report_refusals();
  const auto has_news = [](const peer* p) { return p->idle < kChoresEvery; };
  if (std::any_of(active_, active_ + active_count_, has_news)) return;
  base::yield_and_learn(spin_);
}

void engine::note_failed_try() noexcept {
  if (!is_open()) return;
  // What this rank's channel holds back, and what others ask of its memory, moves by polls alone:
  // what is tried may wait for that.
  if ((parts_->pumps || job::self().settings.all_far) && !is_.polling)
    arrivals_ += poll_unchecked();
  base::yield_after_tries(spin_, parts_->failed_tries);
}

// Credit is stored anew long before its 32 bits could be taken for credit to come: where all is
// answered none is owed, and a word of 2^31 words ago would be taken for new. One peer at a time.
void engine::renew_credit() {
  constexpr std::uint64_t kOld = 1u << 29;
  if (active_count_ == 0) return;
  parts_->renewal = (parts_->renewal + 1) % active_count_;
  peer& p = *active_[parts_->renewal];
  if (p.head - p.published >= kOld) publish(p);
}

// Whether one more line may be opened towards the peer, but for what blocks it.
bool engine::has_free_line(const peer& p) const noexcept {
  const std::uint64_t line = (p.tail + kLineWords - 1) & ~std::uint64_t{kLineWords - 1};
  return line + kLineWords <= p.answered + mask_ + 1;
}

// Waits until one more line may be opened towards the peer, and opens what closed the way.
status engine::make_room(peer& p, record_size size, std::uint64_t handler) {
  if (p.blocked == kTraced) return open_record<true>(p, size, handler);
  return await_room(p, size, handler);
}

status engine::await_room(peer& p, record_size size, std::uint64_t handler) {
  if (ranks_ == 0) return status::bad_rank;
  RAMJET_CHECK(!is_.polling, "a handler may not send a request; it can reply, or chain");
  if (const status now = room_now(p, size, handler); now != status::retry) return now;
  waiting w{.name = "request (the lane is full)",
            .target = int(p.rank),
            .any_death = any_death_ends(*parts_),
            .messages_only = true,
            .room_at = &p};
  bool is_room = false;
  const status s = wait(w, [&] {
    if (!p.active) activate(p);  // the poll that took the last credit may have found it quiet
    is_room = (p.blocked & ~(kGathering | kTraced)) == 0 && has_free_line(p);
    return is_room || has_closed(p);
  });
  if (s != status::ok || is_room) return s;
  if (!parts_->closed_peers_allowed && !is_answer(unsigned(handler))) refuse_closed(p);
  return status::peer_failed;  // nobody makes room
}

status engine::room_now(peer& p, record_size size, std::uint64_t handler) {
  if (p.blocked & kDead) return status::peer_failed;
  if (p.blocked & kGathering) {
    send_gathered_for(p);
    if (p.blocked == 0) return status::ok;
  }
  if (!p.active) {
    activate(p);
    if (p.blocked == 0) return status::ok;
  }
  if (p.blocked == kTraced) return open_record<false>(p, size, handler);
  return is_refused(p) ? status::peer_failed : status::retry;
}

}  // namespace ramjet::detail
