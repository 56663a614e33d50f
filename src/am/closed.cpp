// SPDX-License-Identifier: Apache-2.0
// What is sent to endpoints that are closed, or that nobody opens: it ends the process of whoever
// has made the mistake, but for answers that nobody awaits any more.
#include <cstdio>

#include "am/call_order.hpp"
#include "am/collective_state.hpp"
#include "am/engine_parts.hpp"
#include "am/runtime.hpp"
#include "base/futex.hpp"
#include "channel/channel.hpp"
#include "job/join.hpp"

namespace ramjet::detail {

// Whether somebody's request has come that was not taken, and is not dropped in silence.
bool engine::holds_request(const peer& p) const {
  for (std::uint64_t at = p.head;;) {
    const std::uint64_t h =
        p.in[at & mask_].load(std::memory_order_acquire);  // pairs: lane.request
    const record_state is = state_of(h);
    if (lap_of(h) != lap(at) || (is != record_state::request && is != record_state::pad))
      return false;
    const bool is_dropped = is_call_comparison(handler_of(h)) || is_answer(handler_of(h));
    if (is == record_state::request && !is_dropped) return true;
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
    char text[160];
    std::snprintf(text, sizeof text,
                  "endpoint %u is closed while a message of rank %u to it is under way: quiesce() "
                  "of this index comes first",
                  endpoint_, p.rank);
    die_of_misuse(text);
  }
}

// At the end of the job: what was sent to an endpoint of this node that nobody has opened.
void engine::check_all_were_opened() {
  note_failures();
  if (failures_noted_ != 0) return;
  for (const peer& p : peers_) {
    const unsigned endpoint = p.port % ports_per_rank_;
    if (p.far || endpoint == 0 || endpoint == coprocessor_) continue;
    const std::uint64_t sent = p.count->requests_sent.load(std::memory_order_relaxed);
    if (sent == 0 || was_opened(*p.out_lane.receiver)) continue;
    char text[160];
    std::snprintf(text, sizeof text,
                  "finalize: %llu messages to endpoint %u of rank %u are lost: it was never opened",
                  static_cast<unsigned long long>(sent), endpoint, p.rank);
    die_of_misuse(text);
  }
}

void engine::check_others_are_closed() {
  for (unsigned e = 1; e < ports_per_rank_; ++e) {
    const port_line& other = *port_of(unsigned(job::self().rank), e).out_lane.receiver;
    if (e == coprocessor_ || other.state.load(std::memory_order_relaxed) != kOpen) continue;
    char text[160];
    std::snprintf(
        text, sizeof text,
        "finalize while endpoint %u of this rank is open: its ramjet::endpoint goes first", e);
    die_of_misuse(text);
  }
}

void engine::ring_for_request(peer& p) {
  ring(p);
  if (has_closed(p) && !parts_->closed_peers_allowed && !is_taken(p)) refuse_closed(p);
}

bool engine::has_closed(const peer& p) const {
  return p.far ? parts_->network->closed_by_peer(p.port) : is_closed(*p.out_lane.receiver);
}

// Whether the peer has taken all that was sent, but answers: it may do so, and close its endpoint,
// before the sender gets to ring. Each record is answered, or covered by the credit that a closing
// endpoint returns.
bool engine::is_taken(const peer& p) const {
  const auto head =
      std::uint32_t(p.out_credit->freed.load(std::memory_order_acquire));  // pairs: am.credit
  for (std::uint64_t at = p.answered; at != p.tail;) {
    const std::uint64_t h = p.out[at & mask_].load(std::memory_order_acquire);  // pairs: lane.reply
    const bool covered = std::int32_t(head - std::uint32_t(at)) > 0;
    if (state_of(h) == record_state::request && !covered && !is_answer(handler_of(h))) return false;
    at += words_of(h);
  }
  return true;
}

// Ranks that leave after a death close their endpoints without a word; news of a death on another
// node may come later than its consequences.
void engine::refuse_closed(const peer& p) {
  note_failures();
  if (failures_noted_ != 0 || (p.far && job::self().carry_on)) return;
  const unsigned endpoint = endpoint_of(p.port);
  char text[160];
  if (endpoint == 0)
    std::snprintf(text, sizeof text, "request to rank %u, which has left the job by finalize",
                  p.rank);
  else
    std::snprintf(
        text, sizeof text,
        "request to rank %u, endpoint %u, which is closed: nobody may send to it any more", p.rank,
        endpoint);
  die_of_misuse(text);
}

}  // namespace ramjet::detail
