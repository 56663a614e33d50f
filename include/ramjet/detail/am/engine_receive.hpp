// SPDX-License-Identifier: Apache-2.0
// The engine's receiving half, inlined: polls, requests, replies, credit. Part of engine.hpp.
#pragma once

#include "ramjet/detail/am/engine.hpp"
#include "ramjet/detail/base/probe.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

RAMJET_INLINE unsigned engine::poll_unchecked() {
  is_.polling = true;
  unsigned handled = 0;
  for (unsigned i = 0; i < active_count_; ++i) handled += visit(*active_[i]);
  const std::uint32_t rings = port_->rings.load(std::memory_order_acquire);  // pairs: am.rings
  if (rings != rings_seen_) [[unlikely]]
    handled += answer_bells(rings);
  if ((++polls_ & chores_mask_) == 0) [[unlikely]]
    handled += chores();
  is_.polling = false;
  return handled;
}

RAMJET_INLINE unsigned engine::visit(peer& p) {
  unsigned handled = 0;
  if (p.answered != p.tail) handled = take_replies(p);
  handled += take_requests(p);
  if (handled != 0) {
    p.idle = 0;
  } else if ((++p.idle & 63) == 0) [[unlikely]] {
    idle_peer(p);
  }
  return handled;
}

RAMJET_INLINE unsigned engine::take_replies(peer& p) {
  unsigned handled = 0;
  while (p.answered != p.tail) {
    std::uint64_t at = p.answered;
    word* w = p.out + (at & mask_);
    prefetch_write(w);  // the line comes to be written again, so it need not come twice
    std::uint64_t h = w->load(std::memory_order_acquire);  // pairs: lane.reply
    if (state_of(h) == record_state::pad && at + words_of(h) != p.tail) {
      word* next = p.out + ((at + words_of(h)) & mask_);
      const std::uint64_t after = next->load(std::memory_order_acquire);  // pairs: lane.reply
      if (state_of(after) == record_state::reply) {
        at += words_of(h);
        w = next;
        h = after;
      }
    }
    if (state_of(h) == record_state::reply) [[likely]] {
      if ((at & (kLineWords - 1)) == 0 && at + kLineWords < p.tail)
        prefetch_read(p.out + ((at + kLineWords) & mask_));
      p.answered = at + words_of(h);
      RAMJET_CHECK(handler_of(h) < replies_.count, "a reply names no handler of this program");
      RAMJET_CHECK(p.answered <= p.tail && (at & (kLineWords - 1)) + words_of(h) <= kLineWords,
                   "a reply is longer than its request");
      const std::uint64_t count = bump(p.count->replies_received);
      RAMJET_PROBE(handle, "4@%[from] 8@%[header]", [from] "m"(p.rank), [header] "r"(h));
      replies_.entries[handler_of(h)].run(*this, p, w, h);
      p.count->replies_handled.store(count, std::memory_order_relaxed);
      ++handled;
    } else if (!take_credit(p)) {
      break;
    }
  }
  if (p.blocked == 0) p.limit = p.answered + mask_ + 1;
  return handled;
}

RAMJET_INLINE bool engine::take_credit(peer& p) {
  const std::uint64_t freed =
      p.out_credit->freed.load(std::memory_order_acquire);  // pairs: am.credit
  const auto head = std::uint32_t(freed);
  const auto clean = std::uint32_t(freed >> 32);
  const auto at = std::uint32_t(p.answered);
  if (std::int32_t(head - at) <= 0) return false;
  std::uint64_t step = head - at;
  if (std::int32_t(at - clean) < 0) {
    const std::uint64_t h =
        p.out[p.answered & mask_].load(std::memory_order_acquire);  // pairs: lane.reply
    if (state_of(h) == record_state::reply) return true;  // taken on the next turn
    step = words_of(h);
  }
  RAMJET_CHECK(step <= p.tail - p.answered && step % 2 == 0,
               "a peer returned credit for what was never sent");
  p.answered += step;
  return true;
}

RAMJET_INLINE unsigned engine::take_requests(peer& p) {
  unsigned handled = 0;
  std::uint64_t at = p.head;
  while (handled < kVisitMax) {
    word* w = p.in + (at & mask_);
    const std::uint64_t h = w->load(std::memory_order_acquire);  // pairs: lane.request
    if (lap_of(h) != lap(at)) break;
    if (state_of(h) != record_state::request) [[unlikely]] {
      at = pass_pad(p, h);
      continue;
    }
    const unsigned words = words_of(h);
    RAMJET_CHECK((at & (kLineWords - 1)) + words <= kLineWords, "a record crosses its line");
    if (!p.reply_room && !find_reply_room(p)) [[unlikely]]
      break;
    RAMJET_CHECK(handler_of(h) < requests_.count, "a request names no handler of this program");
    const std::uint64_t count = bump(p.count->requests_received);
    RAMJET_PROBE(handle, "4@%[from] 8@%[header]", [from] "m"(p.rank), [header] "r"(h));
    requests_.entries[handler_of(h)].run(*this, p, w, h);
    p.count->requests_handled.store(count, std::memory_order_relaxed);
    p.head = at += words;
    if (at >= p.credit_at) [[unlikely]]
      publish(p);
    ++handled;
  }
  return handled;
}

RAMJET_INLINE std::uint64_t engine::pass_pad(peer& p, std::uint64_t h) {
  const std::uint64_t end = p.head + words_of(h);
  RAMJET_CHECK(state_of(h) == record_state::pad && (end - 1) / kLineWords == p.head / kLineWords,
               "a lane carries a record of no known kind");
  if (!owes_credit(p)) p.clean = end;
  return p.head = end;
}

inline bool engine::is_handling(const peer& p, const word* w, std::uint64_t header) const noexcept {
  return is_.polling && w == p.in + (p.head & mask_) && lap_of(header) == lap(p.head);
}

RAMJET_INLINE void engine::publish(peer& p) {
  p.published = p.head;
  p.credit_at = p.head + credit_words_;
  p.payload_unpublished = 0;
  p.in_credit->freed.store(p.clean << 32 | std::uint32_t(p.head),
                           std::memory_order_release);  // pairs: am.credit
  // store-load: am.room (sender)
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the credit is there before the load
  if (p.out_credit->room_wanted.load(std::memory_order_relaxed) != 0) [[unlikely]]
    ring(p);
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
