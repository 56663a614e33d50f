// SPDX-License-Identifier: Apache-2.0
// Messages to endpoints that are closed, or that nobody opens: their senders learn it, but of
// answers that nobody awaits any more.
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <utility>
#include <vector>

#include "am/call_order.hpp"
#include "am/collective_state.hpp"
#include "am/engine_cold.hpp"
#include "am/runtime.hpp"
#include "base/clock.hpp"
#include "base/futex.hpp"
#include "base/process_label.hpp"
#include "channel/channel.hpp"
#include "channel/net/networks.hpp"
#include "job/join.hpp"
#include "lane/shared_lane.hpp"
#include "node/wake.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail {

// What a rank does after a death may be seen before the news of the death, by less than this.
constexpr std::uint64_t kNewsNs = 1'000'000'000;

// Where nobody takes such a request, nothing is lost.
static bool is_dropped(unsigned handler) noexcept {
  return is_call_comparison(handler) || is_credit_message(handler) || is_answer(handler);
}

[[noreturn, gnu::format(printf, 1, 2)]] static void die_saying(const char* format, ...) {
  char text[160];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  die_of_misuse(text);
}

// Messages are lost, by misuse. Between nodes, where the job goes on after deaths, a line is all
// that follows: a death of which this rank has not heard may be the reason.
[[gnu::format(printf, 2, 3)]] static void report_loss(bool is_far, const char* format, ...) {
  char text[160];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (!is_far || !job::self().carry_on) die_of_misuse(text);
  std::fprintf(stderr, "%s: %s\n", base::process_label(), text);
}

static void report_refusal(const peer& p, unsigned endpoint) {
  if (endpoint == 0)
    report_loss(p.far, "request to rank %u, which has left the job by finalize", p.rank);
  else
    report_loss(p.far,
                "request to rank %u, endpoint %u, which is closed: nobody may send to it any more",
                p.rank, endpoint);
}

// The one of this peer; a new one where there was none.
static engine_cold::refusal& refusal_by(engine_cold& parts, const peer& p) {
  const auto found = std::ranges::find(parts.refusals, &p, &engine_cold::refusal::by);
  if (found != parts.refusals.end()) return *found;
  return parts.refusals.emplace_back(&p, base::now_ns(), false);
}

void engine::ring_for_request(peer& p) {
  ring(p);
  if (has_closed(p) && !parts_->closed_peers_allowed && !is_taken(p)) refuse_closed(p);
}

bool engine::has_closed(const peer& p) const {
  return p.far ? parts_->network->closed_by_peer(p.port) : is_closed(*p.out_lane.receiver);
}

// Whether the peer has taken all that was sent. It may take it, and close its endpoint, before the
// sender gets to ring. Each record is answered, or covered by the credit that a closing endpoint
// returns. Comparisons of calls, what is about room, and answers may be left.
bool engine::is_taken(const peer& p) const {
  const auto head =
      std::uint32_t(p.out_credit->freed.load(std::memory_order_acquire));  // pairs: am.credit
  for (std::uint64_t at = p.answered; at != p.tail;) {
    const std::uint64_t h = p.out[at & mask_].load(std::memory_order_acquire);  // pairs: lane.reply
    const bool covered = std::int32_t(head - std::uint32_t(at)) > 0;
    if (state_of(h) == record_state::request && !covered && !is_dropped(handler_of(h)))
      return false;
    at += words_of(h);
  }
  return true;
}

// Whether a peer elsewhere has closed its endpoint and left messages behind: there will be no room
// for more. Ends the process if that is misuse.
bool engine::is_refused(const peer& p) {
  if (!p.far || !has_closed(p) || is_taken(p)) return false;
  refuse_closed(p);
  return true;
}

void engine::drop_refused() {
  for (peer& p : peers_)
    if ((p.blocked & (kChained | kGathering)) != 0 && is_refused(p)) drop_held(p);
}

// Ranks that leave after a death close their endpoints without a word; news of a death on another
// node may come later than its consequences: where the job goes on, the line waits for them.
void engine::refuse_closed(const peer& p) {
  note_failures();
  if (failures_noted_ != 0) return;
  if (p.far && job::self().carry_on)
    static_cast<void>(refusal_by(*parts_, p));
  else
    report_refusal(p, endpoint_of(p.port));
}

// Each receiver is named once. A death is noted in its turn, not here (note_failures_in_turn).
void engine::report_refusals() {
  const std::uint32_t failures = job::self().shared->failures.load(std::memory_order_relaxed);
  if (failures_noted_ != 0 || failures != board_failures_) return;
  const std::uint64_t now = base::now_ns();
  for (engine_cold::refusal& r : parts_->refusals) {
    if (r.told || now - r.seen_ns < kNewsNs) continue;
    r.told = true;
    report_refusal(*r.by, endpoint_of(r.by->port));
  }
}

// Of an endpoint that closes: the news is waited for.
void engine::report_last_refusals() {
  constexpr unsigned kPauseUs = 1000;
  const auto is_untold = [](const engine_cold::refusal& r) { return !r.told; };
  for (note_failures(); failures_noted_ == 0; note_failures()) {
    report_refusals();
    if (std::ranges::none_of(parts_->refusals, is_untold)) return;
    if (parts_->network->pump() == 0) ::usleep(kPauseUs);
  }
}

// Whether somebody's request has come that was not taken, and is not dropped in silence.
bool engine::holds_request(const peer& p) const {
  for (std::uint64_t at = p.head;;) {
    const std::uint64_t h =
        p.in[at & mask_].load(std::memory_order_acquire);  // pairs: lane.request
    const record_state is = state_of(h);
    if (lap_of(h) != lap(at) || (is != record_state::request && is != record_state::pad))
      return false;
    if (is == record_state::request && !is_dropped(handler_of(h))) return true;
    at += words_of(h);
  }
}

// The endpoint is closed: senders have to ring from now on, and learn it by that (refuse_closed).
// What came before they could is nobody's to handle.
void engine::check_nothing_came() {
  for (unsigned i = 0; i < active_count_; ++i)
    active_[i]->in_credit->attended.store(0, std::memory_order_relaxed);
  // store-load: am.attended (owner)
  if (job::self().barrier_ok) base::global_barrier();
  note_failures();
  if (failures_noted_ != 0) return;
  for (const peer& p : peers_) {
    if (!p.active && p.head == 0) continue;  // it would ring, and see; its lane has no memory yet
    if (!holds_request(p)) continue;
    die_saying(
        "endpoint %u is closed while a message of rank %u to it is under way: quiesce() "
        "of this index comes first",
        endpoint_, p.rank);
  }
}

// At the end of the job: what was sent to an endpoint that nobody has opened.
void engine::check_all_were_opened() {
  note_failures();
  if (failures_noted_ != 0) return;
  for (const peer& p : peers_) {
    const unsigned endpoint = endpoint_of(p.port);
    if (p.far || endpoint == 0 || endpoint == coprocessor_ || was_opened(*p.out_lane.receiver))
      continue;
    std::uint64_t sent = 0;  // by all endpoints of this rank
    for (unsigned own = 0; own < ports_per_rank_; ++own)
      sent += ramjet::lane::counters_of(unsigned(rank_) * ports_per_rank_ + own)[p.port]
                  .requests_sent.load(std::memory_order_relaxed);
    if (sent == 0) continue;
    die_saying("finalize: %llu messages to endpoint %u of rank %u are lost: it was never opened",
               static_cast<unsigned long long>(sent), endpoint, p.rank);
  }
  if (parts_->pumps && job::self().nodes > 1) check_others_took_all();
}

// The same between nodes. Nobody opens an endpoint any more, so each has said good-bye to those who
// have sent to it, or does so now: all that it will ever take is taken by then. No time-out is
// needed: the good-bye comes, or the rank is found dead.
void engine::check_others_took_all() {
  for (unsigned own = 1; own < endpoints_; ++own) {
    const unsigned port = unsigned(rank_) * ports_per_rank_ + own;
    if (was_opened(node::port(port))) continue;
    for (const std::uint32_t sender : channel::refuse_streams(port))
      report_loss(true,
                  "finalize: messages of rank %u to endpoint %u of this rank are lost: it was "
                  "never opened",
                  sender / ports_per_rank_, own);
  }
  for (const peer& p : peers_) {
    const unsigned endpoint = endpoint_of(p.port);
    if (!p.far || endpoint == 0 || endpoint == coprocessor_ ||
        p.count->requests_sent.load(std::memory_order_relaxed) == 0)
      continue;
    waiting w{.name = "finalize (messages to other endpoints)", .target = int(p.rank)};
    static_cast<void>(wait(w, [&] { return is_taken(p) || has_closed(p); }));
    if (failures_noted_ != 0) return;
    if (is_taken(p) || std::exchange(refusal_by(*parts_, p).told, true)) continue;
    report_loss(true,
                "finalize: messages to endpoint %u of rank %u are lost: it is closed, or was "
                "never opened",
                endpoint, p.rank);
  }
}

void engine::check_others_are_closed() {
  for (unsigned e = 1; e < ports_per_rank_; ++e) {
    const port_line& other = *port_of(unsigned(job::self().rank), e).out_lane.receiver;
    if (e == coprocessor_ || other.state.load(std::memory_order_relaxed) != kOpen) continue;
    die_saying("finalize while endpoint %u of this rank is open: its ramjet::endpoint goes first",
               e);
  }
}

}  // namespace ramjet::detail
