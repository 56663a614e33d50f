// SPDX-License-Identifier: Apache-2.0
// The equations of an engine, executed: what peer.hpp, chain.hpp and payload.hpp state holds
// between any two operations. Debug and sanitizer builds check one peer with each turn of chores
// and all of them when an endpoint closes; tests call audit() in every build.
#include <algorithm>

#include "am/chain.hpp"
#include "am/engine_cold.hpp"
#include "am/payload.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail {

namespace {

void audit_queue(const peer& p) {
  const bool waits = p.chain != nullptr && p.chain->messages != 0;
  RAMJET_CHECK(waits == ((p.blocked & kChained) != 0),
               "a peer is blocked by its chain queue, "
               "exactly while messages wait there");
  RAMJET_CHECK((p.gathering != 0) == ((p.blocked & kGathering) != 0),
               "a peer is blocked by blocks of items, exactly while they hold some");
  RAMJET_CHECK(p.count->chained.load(std::memory_order_relaxed) ==
                   (p.chain != nullptr ? p.chain->messages : 0) + p.gathering,
               "the count of chained messages is the queue's and the blocks'");
  if (p.chain == nullptr) return;
  RAMJET_CHECK(p.chain->front <= p.chain->bytes.size(), "a chain queue's front is inside it");
  RAMJET_CHECK(waits || p.chain->front == p.chain->bytes.size(),
               "an empty chain queue holds no bytes");
}

void audit_counts(const pair_counters& c) {
  const auto of = [](const std::atomic<std::uint64_t>& n) {
    return n.load(std::memory_order_relaxed);
  };
  RAMJET_CHECK(of(c.requests_handled) == of(c.requests_received),
               "between calls every request received has been handled");
  RAMJET_CHECK(of(c.replies_handled) == of(c.replies_received),
               "between calls every reply received has been handled");
  RAMJET_CHECK(of(c.replies_received) <= of(c.requests_sent), "replies answer requests");
  RAMJET_CHECK(of(c.replies_sent) <= of(c.requests_received), "a request is answered once at most");
}

// The equations of call_state.hpp.
void audit_calls(const peer& p) {
  std::uint64_t before = p.answered;
  call_state* const* end = &p.calls;
  for (const call_state* s = p.calls; s != nullptr; s = s->next) {
    RAMJET_CHECK(before < s->position && s->position <= p.tail,
                 "calls wait in the order of their records, which are not answered");
    RAMJET_CHECK(!s->is.done && s->target == int(p.rank), "a call that waits at a peer is to it");
    before = s->position;
    end = &s->next;
  }
  RAMJET_CHECK(p.calls_end == end, "a peer's calls end at the last one");
}

void audit_pool(const call_pool& pool) {
  std::uint32_t free = 0, unused = 0;
  for (const call_state* s = pool.free; s != nullptr; s = s->next) ++free;
  for (std::uint32_t i = 0; i < pool.count; ++i) {
    const call_state& s = *pool.states[i];
    RAMJET_CHECK(call_index_of(s.id) == i, "a call's number is its place in the pool");
    RAMJET_CHECK(s.waits == nullptr || s.is.bits() == 0, "a call that a thread waits for goes on");
    if (s.target >= 0) continue;
    ++unused;
    RAMJET_CHECK(s.is.bits() == 0 && s.outcome == status::ok && s.waits == nullptr && !s.then,
                 "a free call is as a new one");
  }
  RAMJET_CHECK(free == unused, "the list of free calls holds all of them");
}

}  // namespace

// The records between `answered` and `tail` are this side's own, each whole, in its line, of its
// lap; the peer changes a request into a reply, and nothing else.
void engine::audit_records(const peer& p) const {
  std::uint64_t at = p.answered;
  while (at < p.tail) {
    const std::uint64_t h = p.out[at & mask_].load(std::memory_order_relaxed);
    RAMJET_CHECK(lap_of(h) == lap(at), "a record that was sent is of its lap");
    RAMJET_CHECK(state_of(h) != record_state::empty, "a record that was sent has a state");
    RAMJET_CHECK((at & (kLineWords - 1)) + words_of(h) <= kLineWords, "a record is in one line");
    at += words_of(h);
  }
  RAMJET_CHECK(at == p.tail, "records that were sent end at the tail");
}

void engine::audit_peer(const peer& p) const {
  const std::uint64_t ring = mask_ + 1;
  RAMJET_CHECK(p.answered <= p.tail && p.tail <= p.answered + ring, "answered <= tail <= + ring");
  RAMJET_CHECK(p.published <= p.head && p.clean <= p.head, "published, clean <= head");
  RAMJET_CHECK(std::max(p.published, p.clean) == p.head || owes_credit(p),
               "max(published, clean) == head unless credit is owed");
  RAMJET_CHECK(p.tail % 2 == 0 && p.head % 2 == 0, "positions are at granules");
  if (p.blocked == kTraced) {
    RAMJET_CHECK(p.limit <= p.answered + ring && p.line_end <= p.tail + kLineWords,
                 "where the job is traced lines are opened within the credit");
  } else if (p.blocked != 0) {
    RAMJET_CHECK(p.line_end == 0 && p.limit == 0, "a blocked peer has no open line");
  } else {
    RAMJET_CHECK(p.tail <= p.line_end && p.line_end <= p.tail + kLineWords,
                 "tail <= line_end <= tail + 8");
    RAMJET_CHECK(p.limit <= p.answered + ring, "limit <= answered + ring");
    RAMJET_CHECK(p.line_end <= p.opened, "the open line's heads are zeroed");
  }
  RAMJET_CHECK(p.opened <= p.answered + ring, "no line in use is zeroed for the next lap");
  RAMJET_CHECK(p.active == ((p.blocked & kInactive) == 0),
               "a peer is open to sending while active");
  RAMJET_CHECK(
      p.payload_freed <= p.payload_tail && p.payload_tail <= p.payload_freed + payload_bytes_,
      "payload_freed <= payload_tail <= + ring");
  RAMJET_CHECK(p.reply_freed <= p.reply_tail && p.reply_tail <= p.reply_freed + payload_bytes_,
               "reply_freed <= reply_tail <= + ring");
  if (p.marks != nullptr)
    RAMJET_CHECK(p.marks->last - p.marks->first <= payload_marks::kMost, "marks held <= kMost");
  audit_queue(p);
  audit_counts(*p.count);
  audit_calls(p);
  audit_records(p);
}

void engine::audit() const {
  if (!parts_) return;
  unsigned active = 0;
  std::uint64_t chained = 0;
  unsigned gathering = 0;
  for (const peer& p : peers_) {
    audit_peer(p);
    active += p.active;
    gathering += p.gathering;
    if (p.chain != nullptr) chained += p.chain->bytes.size() - p.chain->front;
  }
  RAMJET_CHECK(active == active_count_, "active_count is the number of active peers");
  for (unsigned i = 0; i < active_count_; ++i)
    RAMJET_CHECK(active_[i]->active && std::count(active_, active_ + i, active_[i]) == 0,
                 "each active peer is in the list once");
  RAMJET_CHECK(chained == chain_bytes_, "chain_bytes is what all chain queues hold");
  RAMJET_CHECK(gathering == gathering_ && gathering == parts_->blocks->holding.size(),
               "the blocks that hold items are those of all peers");
  for (const auto& [handler, port] : parts_->blocks->holding) {
    const item_block& b = blocks_[handler][port];
    RAMJET_CHECK(b.begin < b.at && b.at <= b.end && b.end <= b.begin + b.capacity,
                 "begin < at <= end <= begin + capacity in a block that holds items");
  }
  audit_pool(calls_);
  RAMJET_CHECK(withheld_ == 0, "between calls no reply is withheld");
}

// One peer with each turn of chores, the active ones among them often.
void engine::audit_next() const {
  if (peers_.empty()) return;
  parts_->audited = (parts_->audited + 1) % unsigned(peers_.size());
  audit_peer(peers_[parts_->audited]);
  if (active_count_ != 0) audit_peer(*active_[parts_->audited % active_count_]);
}

}  // namespace ramjet::detail
