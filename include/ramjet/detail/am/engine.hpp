// SPDX-License-Identifier: Apache-2.0
// The engine of one endpoint: the way of a message from the send call to the handler. The hot half
// is inlined, from engine_send.hpp, engine_receive.hpp and engine_wait.hpp; the cold half (sleep,
// wake-ups, chains, failures) is in src/am/. (von Eicken et al. 1992, sections 2.2 and 4.2; the
// reply in its request's own record is ours.)
//
// Threads: an engine belongs to one thread at a time. Other ranks touch only the lanes
// (layout.hpp).
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "ramjet/detail/am/item_block.hpp"
#include "ramjet/detail/am/peer.hpp"
#include "ramjet/detail/am/registry.hpp"
#include "ramjet/detail/base/check.hpp"
#include "ramjet/detail/base/cpu.hpp"
#include "ramjet/detail/base/owned.hpp"
#include "ramjet/detail/base/thread_word.hpp"
#include "ramjet/detail/base/wait_loop.hpp"
#include "ramjet/detail/lane/layout.hpp"
#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet::channel {
struct deposit_under_way;  // src/channel/channel.hpp
}

namespace ramjet::detail {

struct call_state;    // call_state.hpp
struct engine_cold;  // src/am/engine_cold.hpp: collectives, channel

// The states of an engine's calls. (src/am/calls.cpp)
class call_pool {
 public:
  call_pool() noexcept = default;
  call_pool(const call_pool&) = delete;
  call_pool& operator=(const call_pool&) = delete;
  ~call_pool() { clear(); }
  void add();
  // Gives what futures refer to over to them.
  void clear() noexcept;

  call_state* free = nullptr;  // a list, the last used first
  call_state** states = nullptr;  // by index, `count` of them
  std::uint32_t count = 0;
  std::uint32_t capacity = 0;
  // Under way and abandoned, but with a `then` that has to run: what sync_all(),
  // all_store_sync() and future::then wait for.
  std::size_t awaited = 0;
};

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
                            const void* payload = nullptr, std::size_t payload_bytes = 0);

  // Answers the request in record `w`, in place if the reply fits there. Never waits: the room was
  // there before the handler ran. Only inside that request's handler, once.
  template <class Pack>
  RAMJET_INLINE void answer(peer& p, word* w, std::uint64_t request, unsigned handler,
                            std::size_t argument_bytes, Pack&& pack, const void* payload = nullptr,
                            std::size_t payload_bytes = 0);

  // --- Receiving -----------------------------------------------------------------------------

  // Runs the handlers of what has arrived; returns how many. Not from inside a handler.
  RAMJET_INLINE unsigned poll() {
    check_may_poll();
    return poll_unchecked();
  }
  // For loops that poll until something has come: lets other user-level threads run, too. After
  // many polls that found nothing it yields the processor, as a wait does.
  RAMJET_INLINE unsigned poll_and_yield() {
    if (std::bit_cast<std::uint16_t>(is_) != 0) [[unlikely]]
      return poll_and_yield_slow();
    return poll_unchecked();
  }
  // Counts a failed try in a program's loop of tries; yields the processor after 64 or more.
  RAMJET_COLD void note_failed_try() noexcept;
  void check_may_poll() const {
    RAMJET_CHECK(!is_.polling, "a handler may not poll or wait; it can only reply and chain");
  }
  RAMJET_INLINE unsigned poll_unchecked();
  // How many polls there were.
  std::uint64_t polls() const noexcept { return polls_; }
  // Messages whose handlers have run since user-level threads run here.
  std::uint64_t arrivals() const noexcept { return arrivals_; }
  void count_arrivals(unsigned handled) noexcept { arrivals_ += handled; }

  // --- Waiting -------------------------------------------------------------------------------

  // Polls until done() holds. peer_failed if a rank died meanwhile, timed_out after the deadline.
  // Where user-level threads run, only the calling one waits.
  template <class Done>
  RAMJET_INLINE status wait(waiting& w, Done&& done);

  // The same, but the whole system thread waits. retry, unless the scheduler waits: a handler
  // has started the first user-level thread.
  template <bool Scheduler, class Done>
  RAMJET_INLINE status wait_as_rank(waiting& w, Done&& done);

  // --- Who is where --------------------------------------------------------------------------

  // The peer behind (rank, endpoint), nullptr if outside the job.
  RAMJET_INLINE peer* find(int rank, unsigned endpoint) noexcept {
    return is_in_job(rank, endpoint) ? &peers_[port_number<false>(rank, endpoint)] : nullptr;
  }
  // The same for a handler that is safe at a co-processor, which serves endpoint 0 where it runs.
  RAMJET_INLINE peer* find_for_coprocessor(int rank, unsigned endpoint) noexcept {
    return is_in_job(rank, endpoint) ? &peers_[port_number<true>(rank, endpoint)] : nullptr;
  }
  // Endpoint 0 is there wherever the rank is.
  RAMJET_INLINE bool is_in_job(int rank, unsigned endpoint) const noexcept {
    return unsigned(rank) < ranks_ && (endpoint == 0 || endpoint < endpoints_);
  }
  // Of the peer behind (rank, endpoint).
  template <bool ForCoprocessor>
  RAMJET_INLINE unsigned port_number(int rank, unsigned endpoint) const noexcept {
    const unsigned index = ForCoprocessor && endpoint == 0 ? coprocessor_ : endpoint;
    return unsigned(rank) * ports_per_rank_ + index;
  }
  // Of the program: a message from a co-processor is from its rank's endpoint 0.
  unsigned endpoint_of(unsigned port) const noexcept {
    const unsigned endpoint = port % ports_per_rank_;
    return endpoint < endpoints_ ? endpoint : 0;
  }
  unsigned ports_per_rank() const noexcept { return ports_per_rank_; }
  int rank() const noexcept { return rank_; }
  int ranks() const noexcept { return int(ranks_); }
  unsigned endpoint() const noexcept { return endpoint_; }
  bool in_handler() const noexcept { return is_.polling; }
  // Whether the handler of this request runs now; the head passes its record when that returns.
  bool is_handling(const peer& p, const word* w, std::uint64_t header) const noexcept;
  bool has_closed(const peer& p) const;
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
    w->store(std::exchange(withheld_, 0), std::memory_order_release);  // pairs: lane.reply
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

  // Copies bytes to `destination` in the peer's segment, to be there before what is sent next. It
  // waits while the network has no room for them; only if `handles` handlers run meanwhile.
  RAMJET_INLINE void deposit(peer& p, void* destination, const void* data, std::size_t bytes,
                             bool handles) {
    if (bytes == 0) return;
    if (p.far) [[unlikely]]
      return deposit_far(p, destination, data, bytes, handles);
    std::memmove(destination, data, bytes);
  }

  // --- Chains (src/am/chain.cpp) --------------------------------------------------------------

  // Queues a request for a peer that cannot take it now; flushed by poll, in order.
  void enqueue(peer& p, unsigned handler, const void* arguments, std::size_t argument_bytes,
               const void* payload, std::size_t payload_bytes);

  // --- Aggregation (src/am/aggregation.cpp) ---------------------------------------------------

  // Where the items of a handler gather for a port.
  RAMJET_INLINE item_block& block_of(unsigned handler, unsigned port) noexcept {
    return blocks_[handler][port];
  }
  // The block takes no item without a look at the receiver, or at its own room.
  RAMJET_COLD status add_item(unsigned port, unsigned handler, const std::byte* item,
                              std::size_t bytes, on_full policy, answers may_come);
  // Sends all items that gather, whatever their receivers.
  void send_gathered();

  // --- Set-up and the cold half ---------------------------------------------------------------

  // Opens this rank's endpoint; the job must be joined. One thread per index.
  void open(unsigned endpoint);
  void close();
  // At the end of the job: ends the process if this endpoint has sent to one that nobody opened.
  void check_all_were_opened();
  // Before the job's memory goes: ends the process if another endpoint of this rank is open.
  void check_others_are_closed();
  bool is_open() const noexcept { return parts_.get() != nullptr; }
  void pump_soon() noexcept;  // something waits in a channel that pumps
  engine_cold& parts() noexcept { return *parts_; }
  RAMJET_INLINE call_pool& calls() noexcept { return calls_; }
  peer& peer_at(unsigned port) noexcept { return peers_[port]; }
  // The same by rank and endpoint, a co-processor's among them.
  peer& port_of(unsigned rank, unsigned endpoint) noexcept {
    return peers_[rank * ports_per_rank_ + endpoint];
  }

  // User-level threads run on this endpoint's system thread: waits yield to them.
  void serve_threads(bool serve) noexcept {
    is_.waits_slowly = std::uint8_t(serve ? is_.waits_slowly | kServesThreads
                                          : is_.waits_slowly & ~kServesThreads);
  }
  bool serves_threads() const noexcept { return (is_.waits_slowly & kServesThreads) != 0; }
  // They run here, no handler does, and waits are not traced.
  RAMJET_INLINE bool lets_threads_wait() const noexcept {
    constexpr state kOnlyServes{.waits_slowly = kServesThreads};
    return std::bit_cast<std::uint16_t>(is_) == std::bit_cast<std::uint16_t>(kOnlyServes);
  }
  port_line& port() noexcept { return *port_; }

  // Notes the ranks that have died since the last call.
  void note_failures();
  // The same, in polls and waits.
  void note_failures_in_turn();
  // How many ranks this engine knows to be dead.
  unsigned failures() const noexcept { return failures_noted_; }

  // Checks the equations of peer.hpp for every peer, and those that bind peers together; ends the
  // process at the first that does not hold. Between calls only, not inside a handler.
  void audit() const;

 private:
  friend struct engine_inspector;  // for tests

  static constexpr std::uint64_t kChoresEvery = 64;  // polls, unless something is urgent
  static constexpr unsigned kVisitMax = 64;  // requests of a peer that a poll takes
  static constexpr std::size_t kTouchedMax = 4096;  // longer payloads hide the cost of their lines
  static constexpr std::uint64_t kWarmBytes = 8192;

  enum apart : std::uint8_t {
    kServesThreads = 1,  // user-level threads run here; or nobody: it stands for no endpoint
    kNotesWaits = 2,  // the job is traced
  };
  struct state {
    bool polling = false;  // a handler runs
    std::uint8_t waits_slowly = 0;  // bits of apart: why its waits take the cold way
  };

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

  // Whether the receiver visits this lane by itself; else it has to be rung. The word that says so
  // is in this core's cache unless it has changed.
  static RAMJET_INLINE bool is_attended(const peer& p) {
    // store-load: am.attended (sender)
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the record is written before the load
    return p.out_credit->attended.load(std::memory_order_relaxed) != 0;
  }
  RAMJET_INLINE void ring_if_needed(peer& p) {
    if (!is_attended(p)) [[unlikely]]
      ring(p);
  }

  // What a record takes.
  struct record_size {
    std::uint32_t words;
    std::uint32_t region;  // bytes of the payload ring
    std::size_t bytes;  // of arguments and payload together
  };

  // One step towards an open line with room: opens the next one, or waits (see post).
  template <bool Wait>
  RAMJET_INLINE status open_line(peer& p, record_size size, std::uint64_t handler);
  // Zeroes the granule heads of the lines to come, as many in a row as the machine wants: some
  // fetch them from the receiver's cache side by side only so (ADR 2).
  void zero_ahead(peer& p, std::uint64_t start) noexcept;

  // Takes what has come from one peer; how many handlers ran.
  RAMJET_INLINE unsigned visit(peer& p);
  // Walks our own requests from the oldest: answered ones run their reply handler, consumed ones
  // are credited. A PAD is passed only with an answered record after it, or by credit.
  RAMJET_INLINE unsigned take_replies(peer& p);
  // Moves `answered` over records that were consumed without an answer; false if there are none.
  RAMJET_INLINE bool take_credit(peer& p);
  // Runs the requests that stand in the incoming ring, at most kVisitMax. `at` is p.head.
  RAMJET_INLINE unsigned take_requests(peer& p);
  // Steps over what fills up a line; returns the new head.
  RAMJET_INLINE std::uint64_t pass_pad(peer& p, std::uint64_t h);
  // Whether requests were consumed without an answer that the sender has no credit for yet.
  RAMJET_INLINE bool owes_credit(const peer& p) const noexcept {
    return p.published != p.head && p.clean != p.head;
  }

  // Returns credit for everything consumed so far. A sender that sleeps for want of it is woken.
  RAMJET_INLINE void publish(peer& p);

  // --- Payload rings --------------------------------------------------------------------------

  // Where a region of `bytes` goes: at the tail, or at the ring's start if it does not fit before
  // its end, or if a few KiB are in use and the start is free again: lines used a moment ago are
  // still in the first caches of both sides (ADR 3). Regions start on a line.
  RAMJET_INLINE std::uint64_t region_start(std::uint64_t tail, std::size_t bytes,
                                           std::uint64_t freed) const noexcept;
  RAMJET_INLINE std::uint64_t take_payload(peer& p, std::size_t bytes, std::uint64_t record_end);
  RAMJET_INLINE std::uint64_t take_reply_payload(peer& p, std::size_t bytes);

  // Writes to the free lines where the next payload will go, so that they are ours when it comes:
  // fetching them then would stand between the message and its sender. Long payloads hide it.
  RAMJET_INLINE void touch_ahead(std::byte* ring, std::uint64_t tail, std::size_t bytes,
                                 std::uint64_t freed) const noexcept;

  bool payload_fits(peer& p, std::size_t bytes);
  static void mark_payload(peer& p, std::uint64_t record_end) noexcept;
  // A reader's position in a payload ring passes the region and the gap that the writer left before
  // it. Returns how many bytes these are.
  std::uint64_t pass_region(std::uint64_t& consumed, const descriptor& r) const noexcept;
  bool find_reply_room(peer& p);
  status wait_for_payload(peer& p, std::size_t bytes);

  // For a record of this size, to this handler.
  RAMJET_COLD status make_room(peer& p, record_size size, std::uint64_t handler);
  status await_room(peer& p, record_size size, std::uint64_t handler);
  RAMJET_COLD status room_now(peer& p, record_size size, std::uint64_t handler);
  RAMJET_COLD void ring(peer& p);
  RAMJET_COLD void ring_for_request(peer& p);
  bool is_taken(const peer& p) const;
  void refuse_closed(const peer& p);
  void report_refusals();
  void report_last_refusals();
  bool holds_request(const peer& p) const;
  bool is_refused(const peer& p);
  void drop_refused();
  void check_others_took_all();
  void check_nothing_came();
  bool is_leaving() const noexcept;
  RAMJET_COLD void deposit_far(peer& p, void* destination, const void* data, std::size_t bytes,
                               bool handles);
  void await_deposit(peer& p, channel::deposit_under_way& d);
  void finish_deposit(peer& p, channel::deposit_under_way& d);
  void drain();
  RAMJET_COLD unsigned answer_bells(std::uint32_t rings);
  RAMJET_COLD unsigned chores();
  void renew_credit();
  void set_rings() noexcept;
  void load_tuning() noexcept;
  void audit_peer(const peer& p) const;
  void audit_records(const peer& p) const;
  void audit_next() const;
  unsigned pump();
  RAMJET_COLD void idle_peer(peer& p);
  RAMJET_COLD unsigned poll_and_yield_slow();
  void yield_if_polling_in_vain();
  RAMJET_COLD status wait_slow(waiting& w, bool (*done)(void*), void* argument);
  status wait_as_thread(waiting& w, bool (*done)(void*), void* argument);
  // Where the job is traced (src/am/trace.cpp).
  void open_trace(unsigned port);
  status wait_traced(waiting& w, bool (*done)(void*), void* argument);
  template <bool Wait>
  status open_record(peer& p, record_size size, std::uint64_t handler);
  std::uint64_t end_of_untold(const peer& p, std::uint64_t line) const noexcept;
  bool ends_visit(const peer& p) noexcept;
  static void run_traced_request(engine& e, peer& p, word* w, std::uint64_t header);
  RAMJET_COLD static void run_told_request(engine& e, peer& p, word* w, std::uint64_t header);
  static void run_traced_reply(engine& e, peer& p, word* w, std::uint64_t header);
  RAMJET_COLD status idle_slow(waiting& w);
  RAMJET_COLD status busy_slow(waiting& w);
  void call_if_overdue(waiting& w, std::uint64_t now_ns);
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
  void close_way_to(peer& p);
  void note_death(unsigned rank);
  void fail_calls_to_departed();
  void lose_link(peer& p);
  unsigned flush_chain(peer& p);
  void drop_chain(peer& p);
  // Messages or items wait here that a poll has to send.
  bool holds_messages() const noexcept { return chain_bytes_ != 0 || gathering_ != 0; }
  void count_held(peer& p) noexcept;
  item_block& open_block(unsigned handler, unsigned port, std::size_t bytes);
  bool has_taken_all(peer& p);
  bool has_free_line(const peer& p) const noexcept;
  bool has_room_for(peer& p, std::size_t payload_bytes);
  status make_room_for_block(peer& p, const item_block& b);
  void note_items(item_block& b, peer& p, unsigned handler);
  void forget_items(item_block& b, peer& p);
  void send_block(item_block& b, peer& p, unsigned handler);
  void send_gathered_for(peer& p);
  unsigned send_gathered_if_due();
  void drop_gathered(peer& p);
  void drop_held(peer& p) {
    drop_chain(p);
    drop_gathered(p);
  }
  void set_chores() noexcept;
  // Work that no message announces has come up: the poll before a sleep does not end in one.
  void stay_awake() noexcept {
    if (armed_) port_->asleep.store(0, std::memory_order_relaxed);
  }

  // Read on every message, in the order of use.
  owned_array<peer> peers_;
  std::uint64_t mask_ = 0;  // ring_words - 1
  unsigned ring_shift_ = 0;
  unsigned ranks_ = 0;
  unsigned endpoints_ = 1;  // of a rank that programs name
  unsigned ports_per_rank_ = 1;  // those, and a co-processor's
  unsigned coprocessor_ = 0;  // the endpoint that serves what is safe there; 0: the main program
  state is_;
  bool armed_ = false;  // about to sleep: every lane has to ring
  handler_table requests_;
  handler_table replies_;
  peer** active_ = nullptr;  // the peers to visit, active_count_ of them
  unsigned active_count_ = 0;
  std::uint32_t rings_seen_ = 0;
  port_line* port_ = &no_port;
  std::uint64_t polls_ = 0, arrivals_ = 0;
  call_pool calls_;
  std::uint64_t withheld_ = 0;  // header of the reply to a request with a payload, 0: none
  std::uint64_t chores_mask_ = 0;  // polls between chores, less 1; 0 while chains wait, or not open
  std::uint64_t payload_bytes_ = 0;
  std::uint64_t credit_words_ = 0;  // credit is returned at least this often
  std::uint64_t ahead_words_ = kLineWords;  // whole lines that zero_ahead prepares
  std::uint64_t credit_payload_ = 0;
  spin_policy spin_;
  int rank_ = 0;
  unsigned endpoint_ = 0;
  std::uint64_t segment_base_ = 0;
  std::uint64_t segment_bytes_ = 0;
  std::uint64_t chain_bytes_ = 0;
  item_block** blocks_ = nullptr;  // by handler; of each a table by port
  unsigned gathering_ = 0;  // blocks that hold items
  std::uint32_t board_failures_ = 0;  // the board's count when it was last read
  std::uint32_t failures_noted_ = 0, failures_reported_ = 0;  // ranks known to be lost
  owned<peer*[]> active_storage_;
  owned<engine_cold> parts_;
};

// The calling thread's engine: an empty one (no ranks, so that every send is refused) until the
// thread opens an endpoint. The main thread gets endpoint 0 from init.
extern constinit thread_local engine* engine_of_thread asm("ramjet_engine_of_thread") RAMJET_TLS;
RAMJET_INLINE engine*& find_engine() noexcept {
  return RAMJET_THREAD_OWN(engine_of_thread, "ramjet_engine_of_thread");
}
inline constexpr thread_word<engine*, find_engine> current_engine;

}  // namespace ramjet::detail

#pragma GCC visibility pop

#include "ramjet/detail/am/engine_receive.hpp"
#include "ramjet/detail/am/engine_send.hpp"
#include "ramjet/detail/am/engine_wait.hpp"
