// SPDX-License-Identifier: Apache-2.0
// The engine of one endpoint: the way of a message from the send call to the handler. The hot half
// stands here and is inlined; the cold half (waiting, waking, chains, failures) is in src/am/.
// (von Eicken et al. 1992, sections 2.2 and 4.2; the reply in its request's own record is ours.)
//
// Threads: an engine belongs to one thread at a time. Other ranks touch only the lanes
// (layout.hpp).
#pragma once

#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "ramjet/detail/check.hpp"
#include "ramjet/detail/cpu.hpp"
#include "ramjet/detail/layout.hpp"
#include "ramjet/detail/peer.hpp"
#include "ramjet/detail/registry.hpp"
#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

struct engine_parts;  // src/am/engine_parts.hpp: calls, collectives, channel

// The port of engines that are not open: nobody rings there.
extern port_line no_port;

class engine {
 public:
  engine() noexcept;
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  // --- Sending -------------------------------------------------------------------------------

  // Sends a request of `argument_bytes` written by pack(std::byte*) and a payload that is copied
  // before the call returns. Wait: polls while there is no room; else returns retry.
  template <bool Wait, class Pack>
  RAMJET_INLINE status post(peer& p, unsigned handler, std::size_t argument_bytes, Pack&& pack,
                            const void* payload = nullptr, std::size_t payload_bytes = 0) {
    RAMJET_DCHECK(!Wait || !is_.polling,
                  "a handler may not send a request; it can reply, or chain");
    const bool inside = inline_words(argument_bytes, payload_bytes) <= kLineWords;
    const std::size_t region = payload_bytes + (inside ? 0 : round_up(argument_bytes, 16));
    const unsigned words = inside ? round_up(inline_words(argument_bytes, payload_bytes), 2) : 2;
    for (;;) {
      if (p.tail + words > p.line_end) [[unlikely]] {
        if (status s = open_line<Wait>(p); s != status::ok) return s;
      } else if (region == 0 || payload_fits(p, region)) {
        break;
      } else if (!Wait) {
        return status::retry;
      } else if (status s = wait_for_payload(p, region); s != status::ok) {
        return s;
      }
    }
    const std::uint64_t at = p.tail;
    word* w = p.out + (at & mask_);
    std::uint64_t header =
        make_header(lap(at), record_state::request, words, handler, argument_bytes);
    std::byte* arguments = reinterpret_cast<std::byte*>(w + 1);
    if (region != 0) {
      const std::uint64_t offset = take_payload(p, region, at + words);
      std::byte* to = p.out_lane.request_payload + offset;
      header |= kExtended;
      put_word(w + 1, descriptor{offset, region}.packed());
      arguments = inside ? reinterpret_cast<std::byte*>(w + 2) : to;
      if (!inside) header |= kArgumentsOutside;
      if (payload_bytes != 0) std::memcpy(to + (region - payload_bytes), payload, payload_bytes);
    }
    pack(arguments);
    w->store(header, std::memory_order_release);  // pairs: am.record
    p.tail = at + words;
    bump(p.count->requests_sent);
    ring_if_needed(p);
    if (region != 0)
      touch_ahead(p.out_lane.request_payload, p.payload_tail, region, p.payload_freed);
    return status::ok;
  }

  // Answers the request in record `w`, in place if the reply fits there. Never waits: the room was
  // there before the handler ran. Only inside that request's handler, once.
  template <class Pack>
  RAMJET_INLINE void answer(peer& p, word* w, std::uint64_t request, unsigned handler,
                            std::size_t argument_bytes, Pack&& pack, const void* payload = nullptr,
                            std::size_t payload_bytes = 0) {
    if (owes_credit(p)) publish(p);
    const unsigned words = words_of(request);
    std::uint64_t header = make_answer(request, handler, argument_bytes);
    if (payload_bytes == 0 && 1 + (argument_bytes + 7) / 8 <= words) {
      pack(reinterpret_cast<std::byte*>(w + 1));
    } else {
      const std::size_t lead = round_up(argument_bytes, 16);
      const std::uint64_t offset = take_reply_payload(p, lead + payload_bytes);
      std::byte* to = p.in_lane.reply_payload + offset;
      put_word(w + 1, descriptor{offset, lead + payload_bytes}.packed());
      header |= kExtended | kArgumentsOutside;
      pack(to);
      if (payload_bytes != 0) std::memcpy(to + lead, payload, payload_bytes);
    }
    p.clean = p.head + words;
    p.credit_at = p.clean + credit_words_;
    bump(p.count->replies_sent);
    if ((request & kExtended) == 0) {
      w->store(header, std::memory_order_release);  // pairs: am.record
      ring_if_needed(p);
    } else {  // a reply gives the request's payload back, and its handler may yet look at it
      withheld_ = header;
    }
    if (payload_bytes != 0)
      touch_ahead(p.in_lane.reply_payload, p.reply_tail, payload_bytes, p.reply_freed);
  }

  // --- Receiving -----------------------------------------------------------------------------

  // Runs the handlers of what has arrived; returns how many. Not from inside a handler.
  RAMJET_INLINE unsigned poll() {
    check_may_poll();
    return poll_unchecked();
  }
  // For loops that poll until something has come: lets other user-level threads run, too.
  RAMJET_INLINE unsigned poll_and_give_way() {
    if (std::bit_cast<std::uint16_t>(is_) != 0) [[unlikely]]
      return give_way();
    return poll_unchecked();
  }
  void check_may_poll() const {
    RAMJET_CHECK(!is_.polling, "a handler may not poll or wait; it can only reply and chain");
  }
  RAMJET_INLINE unsigned poll_unchecked() {
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
  // Messages whose handlers have run since user-level threads run here.
  std::uint64_t arrivals() const noexcept { return arrivals_; }
  void count_arrivals(unsigned handled) noexcept { arrivals_ += handled; }

  // --- Waiting -------------------------------------------------------------------------------

  // Polls until done() holds. peer_failed if a rank died meanwhile, timed_out after the deadline.
  // Where user-level threads run, only the calling one waits.
  template <class Done>
  RAMJET_INLINE status wait(waiting& w, Done&& done) {
    if (!is_.serving_threads) [[likely]] {
      const status s = wait_as_rank<false>(w, done);
      if (s != status::retry) [[likely]]
        return s;
    }
    const auto look = [&done] { return bool(done()); };
    return wait_as_thread(
        w, [](void* p) { return (*static_cast<decltype(look)*>(p))(); },
        const_cast<void*>(static_cast<const void*>(&look)));
  }

  // The same, but the whole system thread waits. retry, unless the scheduler itself asks: a handler
  // has started the first user-level thread.
  template <bool Scheduler, class Done>
  RAMJET_INLINE status wait_as_rank(waiting& w, Done&& done) {
    status s = status::ok;
    while (!done()) {
      if (const unsigned handled = poll(); handled != 0) {
        w.spins = w.yields = 0;
        if (Scheduler) arrivals_ += handled;
        if (!Scheduler && is_.serving_threads) [[unlikely]] {
          s = status::retry;
          break;
        }
        if (w.deadline_ns != 0 || failures_noted_ != 0) [[unlikely]]
          if (s = busy_slow(w); s != status::ok) break;
      } else if (++w.spins < spin_budget_) [[likely]] {
        cpu_relax();
      } else if (s = idle_slow(w); s == status::retry) {  // armed: one more look, then sleep
        if (poll() == 0 && !done()) sleep(w);
        disarm(w);
        s = status::ok;
      } else if (s != status::ok) {
        break;
      }
    }
    if (w.shown) [[unlikely]]
      end_wait(w);
    return s;
  }

  // --- Who is where --------------------------------------------------------------------------

  // The peer behind (rank, endpoint), nullptr if outside the job.
  RAMJET_INLINE peer* find(int rank, unsigned endpoint) noexcept {
    if (unsigned(rank) >= ranks_ || endpoint >= endpoints_) [[unlikely]]
      return nullptr;
    return &peers_[unsigned(rank) * ports_per_rank_ + endpoint];
  }
  // The same for handlers that are safe at a co-processor: where one runs, what is for endpoint 0
  // goes there.
  RAMJET_INLINE peer* find_for_coprocessor(int rank, unsigned endpoint) noexcept {
    if (unsigned(rank) >= ranks_ || endpoint >= endpoints_) [[unlikely]]
      return nullptr;
    return &peers_[unsigned(rank) * ports_per_rank_ + (endpoint == 0 ? coprocessor_ : endpoint)];
  }
  // Of the program: a message from a co-processor is from its rank's endpoint 0.
  unsigned endpoint_of(unsigned port) const noexcept {
    const unsigned endpoint = port % ports_per_rank_;
    return endpoint < endpoints_ ? endpoint : 0;
  }
  int rank() const noexcept { return rank_; }
  int ranks() const noexcept { return int(ranks_); }
  unsigned endpoint() const noexcept { return endpoint_; }
  bool in_handler() const noexcept { return is_.polling; }
  // The number of the co-processors' endpoints, 0 where none run.
  unsigned coprocessor() const noexcept { return coprocessor_; }

  // Where an extended message's arguments and payload stand; checks what the peer wrote.
  struct extent {
    const std::byte* arguments;
    std::byte* payload;
    std::size_t payload_bytes;
  };
  extent open_request(peer& p, word* w, std::uint64_t header);
  extent open_reply(peer& p, word* w, std::uint64_t header);
  // The handler has returned: the extent that was opened may be written over.
  RAMJET_INLINE void close_request(peer& p, word* w) {
    if (withheld_ == 0) return;
    w->store(std::exchange(withheld_, 0), std::memory_order_release);  // pairs: am.record
    ring_if_needed(p);
  }
  void close_reply(peer& p);

  // What a C handler was registered with.
  void* context_of(std::uint64_t header) const noexcept {
    const handler_table& t = state_of(header) == record_state::reply ? replies_ : requests_;
    return t.entries[handler_of(header)].context;
  }

  // Whether [address, address + bytes) lies in the rank's segment.
  bool in_segment(int rank, const void* address, std::size_t bytes) const noexcept {
    const std::uint64_t base = segment_base_ + std::uint64_t(unsigned(rank)) * segment_bytes_;
    const std::uint64_t from = reinterpret_cast<std::uintptr_t>(address) - base;
    return from <= segment_bytes_ && bytes <= segment_bytes_ - from;
  }

  // Copies bytes to `destination` in the peer's segment, to be there before what is sent next.
  RAMJET_INLINE void deposit(peer& p, void* destination, const void* data, std::size_t bytes) {
    if (bytes == 0) return;
    if (p.far) [[unlikely]]
      return deposit_far(p, destination, data, bytes);
    std::memmove(destination, data, bytes);
  }

  // --- Chains (src/am/chain.cpp) --------------------------------------------------------------

  // Queues a request for a peer that cannot take it now; flushed by poll, in order.
  void enqueue(peer& p, unsigned handler, const void* arguments, std::size_t argument_bytes,
               const void* payload, std::size_t payload_bytes);
  bool has_chained() const noexcept { return chain_bytes_ != 0; }

  // --- Set-up and the cold half ---------------------------------------------------------------

  // Opens this rank's endpoint; the job must be joined. One thread per index.
  void open(unsigned endpoint);
  void close();
  bool is_open() const noexcept { return parts_ != nullptr; }
  void pump_soon() noexcept;  // something waits in a channel that pumps
  engine_parts& parts() noexcept { return *parts_; }
  peer& peer_at(unsigned port) noexcept { return peers_[port]; }
  // The same by rank and endpoint, a co-processor's among them.
  peer& port_of(unsigned rank, unsigned endpoint) noexcept {
    return peers_[rank * ports_per_rank_ + endpoint];
  }

  // User-level threads run on this endpoint's system thread: waits give way to them.
  void serve_threads(bool serve) noexcept { is_.serving_threads = serve; }
  bool serves_threads() const noexcept { return is_.serving_threads; }
  port_line& port() noexcept { return *port_; }

  // Learns of ranks that died since the last look.
  void note_failures();
  // How many ranks this engine knows to be dead.
  unsigned failures() const noexcept { return failures_noted_; }

 private:
  friend struct engine_inspector;  // tests look inside

  static constexpr std::uint64_t kChoresEvery = 64;  // polls, where nothing presses
  static constexpr unsigned kAheadWords = 8 * kLineWords;
  static constexpr std::size_t kTouchedMax = 4096;  // longer payloads hide the cost of their lines
  static constexpr std::uint64_t kWarmBytes = 8192;

  static constexpr unsigned round_up(std::size_t n, unsigned to) noexcept {
    return unsigned((n + to - 1) / to * to);
  }
  static constexpr unsigned inline_words(std::size_t argument_bytes,
                                         std::size_t payload_bytes) noexcept {
    return unsigned(1 + (payload_bytes != 0) + (argument_bytes + 7) / 8);
  }
  static RAMJET_INLINE void put_word(word* w, std::uint64_t value) noexcept {
    std::memcpy(static_cast<void*>(w), &value, sizeof value);
  }
  RAMJET_INLINE std::uint8_t lap(std::uint64_t position) const noexcept {
    return lap_at(position, ring_shift_);
  }

  // Rings only if the receiver does not look by itself. Its word is in our cache unless it changed.
  RAMJET_INLINE void ring_if_needed(peer& p) {
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the record is written before we look
    if (p.out_credit->attended.load(std::memory_order_relaxed) == 0) [[unlikely]]
      ring(p);
  }

  // One step towards an open line with room: opens the next one, or waits (see post).
  template <bool Wait>
  RAMJET_INLINE status open_line(peer& p) {
    const std::uint64_t from = p.tail;
    const std::uint64_t start = (from + kLineWords - 1) & ~std::uint64_t{kLineWords - 1};
    if (start + kLineWords > p.limit) [[unlikely]]
      return Wait ? make_room(p) : room_now(p);
    if (from != start) {
      (p.out + (from & mask_))
          ->store(make_header(lap(from), record_state::pad, unsigned(start - from), 0, 0),
                  std::memory_order_release);  // pairs: am.record
    }
    if (start + kAheadWords / 2 >= p.opened) [[unlikely]]
      zero_ahead(p, start);
    p.tail = start;
    p.line_end = start + kLineWords;
    return status::ok;
  }

  // Zeroes the granule heads of the lines to come, several in a row: stores to consecutive lines
  // fetch them from the receiver's cache side by side, which single prefetches do not (budgets.md).
  void zero_ahead(peer& p, std::uint64_t start) noexcept {
    const std::uint64_t from = p.opened > start ? p.opened : start;
    const std::uint64_t end = from + kAheadWords < p.limit ? from + kAheadWords : p.limit;
    for (std::uint64_t at = from; at + kLineWords <= end; at += kLineWords) {
      word* line = p.out + (at & mask_);
      line[2].store(0, std::memory_order_relaxed);
      line[4].store(0, std::memory_order_relaxed);
      line[6].store(0, std::memory_order_relaxed);
      p.opened = at + kLineWords;
    }
  }

  RAMJET_INLINE unsigned visit(peer& p) {
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

  // Walks our own requests from the oldest: answered ones run their reply handler, consumed ones
  // are credited. A PAD is passed only with an answered record after it, or by credit.
  RAMJET_INLINE unsigned take_replies(peer& p) {
    unsigned handled = 0;
    while (p.answered != p.tail) {
      std::uint64_t at = p.answered;
      word* w = p.out + (at & mask_);
      prefetch_write(w);  // the line comes to be written again, so it need not come twice
      std::uint64_t h = w->load(std::memory_order_acquire);  // pairs: am.record
      if (state_of(h) == record_state::pad && at + words_of(h) != p.tail) {
        word* next = p.out + ((at + words_of(h)) & mask_);
        const std::uint64_t after = next->load(std::memory_order_acquire);  // pairs: am.record
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

  // Moves `answered` over records that were consumed without an answer; false if there are none.
  RAMJET_INLINE bool take_credit(peer& p) {
    const std::uint64_t freed =
        p.out_credit->freed.load(std::memory_order_acquire);  // pairs: am.credit
    const auto head = std::uint32_t(freed);
    const auto clean = std::uint32_t(freed >> 32);
    const auto at = std::uint32_t(p.answered);
    if (std::int32_t(head - at) <= 0) return false;
    std::uint64_t step = head - at;
    if (std::int32_t(at - clean) < 0) {
      const std::uint64_t h =
          p.out[p.answered & mask_].load(std::memory_order_acquire);  // pairs: am.record
      if (state_of(h) == record_state::reply) return true;  // taken on the next turn
      step = words_of(h);
    }
    RAMJET_CHECK(step <= p.tail - p.answered && step % 2 == 0,
                 "a peer returned credit for what was never sent");
    p.answered += step;
    return true;
  }

  // Runs the requests that stand in the incoming ring, at most a burst of them. `at` is p.head.
  RAMJET_INLINE unsigned take_requests(peer& p) {
    constexpr unsigned kBurst = 64;
    unsigned handled = 0;
    std::uint64_t at = p.head;
    while (handled < kBurst) {
      word* w = p.in + (at & mask_);
      const std::uint64_t h = w->load(std::memory_order_acquire);  // pairs: am.record
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
      requests_.entries[handler_of(h)].run(*this, p, w, h);
      p.count->requests_handled.store(count, std::memory_order_relaxed);
      p.head = at += words;
      if (at >= p.credit_at) [[unlikely]]
        publish(p);
      ++handled;
    }
    return handled;
  }

  // Steps over what fills up a line; returns the new head.
  RAMJET_INLINE std::uint64_t pass_pad(peer& p, std::uint64_t h) {
    const std::uint64_t end = p.head + words_of(h);
    RAMJET_CHECK(state_of(h) == record_state::pad && (end - 1) / kLineWords == p.head / kLineWords,
                 "a lane carries a record of no known kind");
    if (!owes_credit(p)) p.clean = end;
    return p.head = end;
  }

  // Whether requests were consumed without an answer that the sender has no credit for yet.
  RAMJET_INLINE bool owes_credit(const peer& p) const noexcept {
    return p.published != p.head && p.clean != p.head;
  }

  // Returns credit for everything consumed so far. A sender that sleeps for want of it is woken.
  RAMJET_INLINE void publish(peer& p) {
    p.published = p.head;
    p.credit_at = p.head + credit_words_;
    p.payload_unpublished = 0;
    p.in_credit->freed.store(p.clean << 32 | std::uint32_t(p.head),
                             std::memory_order_release);  // pairs: am.credit
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the credit is there before we look
    if (p.out_credit->room_wanted.load(std::memory_order_relaxed) != 0) [[unlikely]]
      ring(p);
  }

  // --- Payload rings --------------------------------------------------------------------------

  // Where a region of `bytes` goes: at the tail, or at the ring's start if it does not fit before
  // its end, or if a few KiB are in use and the start is free again: lines used a moment ago are
  // still in the first caches of both sides (ADR 3). Regions start on a line.
  RAMJET_INLINE std::uint64_t region_start(std::uint64_t tail, std::size_t bytes,
                                           std::uint64_t freed) const noexcept {
    const std::uint64_t offset = tail & (payload_bytes_ - 1);
    const std::uint64_t again = tail + (payload_bytes_ - offset);
    if (offset + bytes > payload_bytes_) return again;
    const bool warm = offset >= kWarmBytes && bytes <= kTouchedMax;
    return warm && again + bytes - freed <= payload_bytes_ ? again : tail;
  }
  RAMJET_INLINE std::uint64_t take_payload(peer& p, std::size_t bytes, std::uint64_t record_end) {
    const std::uint64_t start = region_start(p.payload_tail, bytes, p.payload_freed);
    p.payload_tail = start + round_up(bytes, kCacheLineBytes);
    mark_payload(p, record_end);
    return start & (payload_bytes_ - 1);
  }
  RAMJET_INLINE std::uint64_t take_reply_payload(peer& p, std::size_t bytes) {
    const std::uint64_t start = region_start(p.reply_tail, bytes, p.reply_freed);
    p.reply_tail = start + round_up(bytes, kCacheLineBytes);
    p.reply_room = false;
    return start & (payload_bytes_ - 1);
  }

  // Writes to the free lines where the next payload will go, so that they are ours when it comes:
  // fetching them then would stand between the message and its sender. Long payloads hide it.
  RAMJET_INLINE void touch_ahead(std::byte* ring, std::uint64_t tail, std::size_t bytes,
                                 std::uint64_t freed) const noexcept {
    const std::uint64_t start = region_start(tail, bytes, freed);
    if (bytes > kTouchedMax || start + bytes - freed > payload_bytes_) return;
    std::byte* const region = ring + (start & (payload_bytes_ - 1));
    for (std::size_t at = 0; at < bytes; at += kCacheLineBytes)
      *reinterpret_cast<volatile std::byte*>(region + at) = std::byte{0};
  }

  bool payload_fits(peer& p, std::size_t bytes);
  static void mark_payload(peer& p, std::uint64_t record_end) noexcept;
  bool find_reply_room(peer& p);
  status wait_for_payload(peer& p, std::size_t bytes);

  RAMJET_COLD status make_room(peer& p);
  RAMJET_COLD status room_now(peer& p);
  RAMJET_COLD void ring(peer& p);
  RAMJET_COLD void deposit_far(peer& p, void* destination, const void* data, std::size_t bytes);
  RAMJET_COLD unsigned answer_bells(std::uint32_t rings);
  RAMJET_COLD unsigned chores();
  void renew_credit();
  unsigned pump();
  RAMJET_COLD void idle_peer(peer& p);
  RAMJET_COLD unsigned give_way();
  RAMJET_COLD status wait_as_thread(waiting& w, bool (*done)(void*), void* argument);
  RAMJET_COLD status idle_slow(waiting& w);
  RAMJET_COLD status busy_slow(waiting& w);
  RAMJET_COLD void show_wait(waiting& w);
  RAMJET_COLD void end_wait(waiting& w);
  RAMJET_COLD void sleep(waiting& w);
  status after_failure(const waiting& w);
  bool target_is_gone(waiting& w) const;
  void arm(const waiting& w);
  void disarm(const waiting& w);
  void activate(peer& p);
  void deactivate(peer& p);
  void block(peer& p, block_reason why);
  void unblock(peer& p, block_reason why);
  void bury(peer& p);
  void bury_rank(unsigned rank);
  void give_up_on_leavers();
  void lose_link(peer& p);
  unsigned flush_chain(peer& p);
  void drop_chain(peer& p);
  void set_chores() noexcept;
  // Work that no message announces has come up: a last look before a sleep does not end in one.
  void stay_awake() noexcept {
    if (armed_) port_->asleep.store(0, std::memory_order_relaxed);
  }

  // Read on every message, in the order of use.
  std::vector<peer> peers_;
  std::uint64_t mask_ = 0;  // ring_words - 1
  unsigned ring_shift_ = 0;
  unsigned ranks_ = 0;
  unsigned endpoints_ = 1;  // of a rank that programs name
  unsigned ports_per_rank_ = 1;  // those, and a co-processor's
  unsigned coprocessor_ = 0;  // the endpoint that serves what is safe there; 0: the main program
  struct {
    bool polling = false;  // a handler runs
    bool serving_threads = false;
  } is_;
  bool armed_ = false;  // about to sleep: every lane has to ring
  handler_table requests_;
  handler_table replies_;
  peer** active_ = nullptr;  // the peers to visit, active_count_ of them
  unsigned active_count_ = 0;
  std::uint32_t rings_seen_ = 0;
  port_line* port_ = &no_port;
  std::uint64_t polls_ = 0, arrivals_ = 0;
  std::uint64_t withheld_ = 0;  // header of the reply to a request with a payload, 0: none
  std::uint64_t chores_mask_ = 0;  // chores every so many polls; 0 while chains wait, or not open
  std::uint64_t payload_bytes_ = 0;
  std::uint64_t credit_words_ = 0;  // credit is returned at least this often
  std::uint64_t credit_payload_ = 0;
  unsigned spin_budget_ = 1024;
  int rank_ = 0;
  unsigned endpoint_ = 0;
  std::uint64_t segment_base_ = 0;
  std::uint64_t segment_bytes_ = 0;
  std::uint64_t chain_bytes_ = 0;
  std::uint32_t board_failures_ = 0;  // the board's count when it was last looked at
  std::uint32_t failures_noted_ = 0, failures_reported_ = 0;  // ranks known to be lost
  std::unique_ptr<peer*[]> active_storage_;
  std::unique_ptr<engine_parts> parts_;
};

// The calling thread's engine: an empty one (no ranks, so that every send is refused) until the
// thread opens an endpoint. The main thread gets endpoint 0 from init.
extern constinit thread_local engine* current_engine;

}  // namespace ramjet::detail

#pragma GCC visibility pop
