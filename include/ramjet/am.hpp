// SPDX-License-Identifier: Apache-2.0
// Active Messages: requests, replies, chains, calls, and the endpoints that carry them.
// (von Eicken et al. 1992, sections 2.2 and 4.2; SCALE Suite 1997, section 3.)
// Sending, polling and waiting belong to the main program of an endpoint's thread; inside a handler
// only reply and chain are legal. Whatever else is tried there, or an exception, ends the process:
// a request at the latest where it finds no room, in a build with assertions at once.
//
// Every call here belongs to the thread's own endpoint and is used by that thread alone. A wrong
// rank, an oversized payload or a wild destination is a broken contract: the process ends with one
// line that names it. The try_ forms return it as a value instead, as they return `retry`. A null
// payload of more than 0 bytes ends the process in any form.
// status::peer_failed is only ever seen under --on-failure=continue: otherwise the job ends.
#pragma once

#include <utility>

#include "ramjet/detail/am/call_state.hpp"
#include "ramjet/detail/am/sending.hpp"
#include "ramjet/detail/base/owned.hpp"
#include "ramjet/handler.hpp"
#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

// Longest payload of a medium message, in bytes.
inline constexpr std::size_t medium_bytes_max = detail::kMediumBytesMax;

// --- Replies: inside a request handler, at most once, never waits --------------------------------

// Answers with handler F's arguments. Cost: one line back, nothing allocated.
template <auto F, class... A>
RAMJET_INLINE void reply(request_token&& t, const A&... a) {
  using h = detail::handler<F>;
  detail::check_reply<F, detail::message_kind::short_>();
  constexpr std::size_t bytes = detail::packed_bytes(typename h::arguments{});
  detail::token_access::answer(std::move(t), h::index(), bytes,
                               detail::pack_arguments<F>(typename h::arguments{}, a...));
}

// Answers with a payload of at most medium_bytes_max bytes, copied before this returns.
template <auto F, class... A>
RAMJET_INLINE void reply_medium(request_token&& t, const void* data, std::size_t count,
                                const A&... a) {
  using h = detail::handler<F>;
  detail::check_reply<F, detail::message_kind::medium>();
  if (count > medium_bytes_max)
    detail::misuse(status::too_large, "reply_medium", h::name(), t.source(), count);
  detail::check_data(data, count);
  constexpr std::size_t bytes = detail::packed_bytes(typename h::arguments{});
  detail::token_access::answer(std::move(t), h::index(), bytes,
                               detail::pack_arguments<F>(typename h::arguments{}, a...), data,
                               count);
}

// Copies `count` bytes to `destination` in the requester's segment, then answers. The destination
// is as in request_long, below.
template <auto F, class... A>
RAMJET_INLINE void reply_long(request_token&& t, void* destination, const void* data,
                              std::size_t count, const A&... a) {
  using h = detail::handler<F>;
  using all = decltype(detail::led_by_deposit(typename h::arguments{}));
  detail::check_reply<F, detail::message_kind::long_>();
  const address to = t.source();
  if (!detail::token_access::engine_of(t).in_segment(to.rank, destination, count))
    detail::refuse_destination("reply_long", h::name(), to, destination, count);
  detail::check_data(data, count);
  detail::token_access::deposit_for(t, destination, data, count);
  const deposit where{{static_cast<std::byte*>(destination), count}};
  detail::token_access::answer(std::move(t), h::index(), detail::packed_bytes(all{}),
                               detail::pack_arguments<F>(all{}, where, a...));
}

// --- Futures -------------------------------------------------------------------------------------

namespace detail {

[[noreturn]] void throw_failure(status s);
// CLOCK_MONOTONIC, `milliseconds` from now, in ns.
std::uint64_t deadline_in(std::uint64_t milliseconds) noexcept;

struct call_access;
struct nothing {};

template <class R>
using stored = std::conditional_t<std::is_void_v<R>, nothing, R>;

// Stands for the result of a call that has none.
template <class R>
R no_result() noexcept {
  if constexpr (std::is_default_constructible_v<R>) {
    return R{};
  } else {
    constexpr std::byte zeroes[sizeof(R)]{};
    return read_argument<R>(zeroes);
  }
}

}  // namespace detail

// The result of a call that is on its way. Belongs to the endpoint's thread. Movable; dropping it
// abandons the result, not the call. It may outlive its endpoint: what has not come by then has
// failed. Using one that refers to no call, other than by valid(), ends the process.
template <class R>
class future {
 public:
  future() = default;
  future(future&& other) noexcept
      : engine_(other.engine_), state_(std::exchange(other.state_, nullptr)) {}
  future& operator=(future&& other) noexcept {
    std::swap(engine_, other.engine_);
    std::swap(state_, other.state_);
    return *this;
  }
  ~future() {
    if (state_ != nullptr) detail::release_call(*engine_, state_);
  }

  // Whether it refers to a call.
  bool valid() const noexcept { return state_ != nullptr; }
  // Whether the call has ended, well or badly. Does not poll.
  bool ready() const {
    check_valid();
    return state_->is.done;
  }
  // Polls until the call has ended. peer_failed if the callee died first. Not in a handler.
  RAMJET_INLINE status wait() {
    check_valid();
    return detail::wait_call(*engine_, *state_);
  }
  // wait(), then the result; throws ramjet::failure if the call failed.
  RAMJET_INLINE R get() {
    if (status s = wait(); s != status::ok) detail::throw_failure(s);
    if constexpr (!std::is_void_v<R>) return detail::read_argument<R>(state_->value);
  }
  // Hands the result to g(status, R) (g(status) for void) when it comes, or at once if it is there;
  // the future is used up. g runs in the reply handler: it may chain, it may not wait. A closing
  // endpoint waits for it; peer_failed if it has to close without. The result of a call that failed
  // is R{}, or zeroes where R has no default constructor.
  template <class G>
  void then(G&& g) && {
    check_valid();
    detail::call_state* s = std::exchange(state_, nullptr);
    auto deliver = [g = std::forward<G>(g)](detail::call_state& done) mutable {
      if constexpr (std::is_void_v<R>) {
        g(done.outcome);
      } else {
        g(done.outcome, done.outcome == status::ok ? detail::read_argument<R>(done.value)
                                                   : detail::no_result<R>());
      }
    };
    if (s->is.done)
      deliver(*s);
    else
      detail::continue_call(*s, std::move(deliver));
    detail::release_call(*engine_, s);
  }

 private:
  friend struct detail::call_access;
  future(detail::engine& e, detail::call_state* s) noexcept : engine_(&e), state_(s) {}
  void check_valid() const { RAMJET_CHECK(valid(), "this future refers to no call"); }

  detail::engine* engine_ = nullptr;
  detail::call_state* state_ = nullptr;
};

namespace detail {

template <auto F, class R, class... A>
struct call_handlers {
  static_assert(
      (!holds_address<A> && ...) && !holds_address<stored<R>>,
      "an argument or the result of a call is an address (pointer, reference, span, view, "
      "iterator, capturing lambda), which means nothing in another process");
  static_assert((std::is_trivially_copyable_v<A> && ...), "arguments of a call are copyable bytes");
  static_assert(std::is_void_v<R> || std::is_trivially_copyable_v<R>,
                "the result of a call is trivially copyable");
  static_assert(sizeof(stored<R>) <= call_state::kValueBytes, "results are at most 64 bytes");

  static void done(reply_token t, stored<R> value) {
    answer_call(token_access::engine_of(t), token_access::peer_of(t), value);
  }
  // Of what was not answered in its request's record (threads.hpp).
  static void done_by_number(reply_token t, std::uint32_t id, stored<R> value) {
    answer_numbered_call(token_access::engine_of(t), id, t.rank(), value);
  }
  static void run(request_token t, A... a) {
    if constexpr (std::is_void_v<R>) {
      F(a...);
      reply<&done>(std::move(t), nothing{});
    } else {
      reply<&done>(std::move(t), F(a...));
    }
  }
};
template <auto F, class R, class... P>
call_handlers<F, R, P...> call_handlers_of(R (*)(P...));
template <auto F, class R, class... P>
call_handlers<F, R, P...> call_handlers_of(R (*)(P...) noexcept);
template <class R, class... P>
R result_of(R (*)(P...));
template <class F>
  requires(!is_plain_function<F>)
void result_of(const F&);  // refused where it is called

struct call_access {
  template <class R>
  static future<R> make(engine& e, call_state* s) noexcept {
    return {e, s};
  }
  template <class R>
  static const bool& done_flag(const future<R>& f) {
    f.check_valid();
    return f.state_->is.done;
  }
  // The future is used up: the caller releases the state.
  template <class R>
  static call_state* take(future<R>&& f) noexcept {
    return std::exchange(f.state_, nullptr);
  }
  template <class R>
  static engine& engine_of(const future<R>& f) noexcept {
    return *f.engine_;
  }
  // Calls g() when the call ends; the future stays what it is.
  template <class R, class G>
  static void when_done(future<R>& f, G&& g) {
    f.check_valid();
    continue_call(*f.state_, [g = std::forward<G>(g)](call_state&) { g(); });
  }
};

}  // namespace detail

// --- Endpoints -----------------------------------------------------------------------------------

// A port with queues, handlers' progress and counters of its own, used by one thread at a time.
// Every rank has endpoint 0, opened by init; a thread opens another by constructing one here.
class endpoint {
 public:
  // Opens this rank's endpoint `index` (1 <= index < options::endpoints) for the calling thread,
  // and makes it the one that the free functions of this thread use. Not in a handler. Ends the
  // process with a message if the index is outside, or taken now or before: an index is opened once
  // in a job.
  explicit endpoint(unsigned index);
  // Sends what is chained, waits for the answers to what the thread leaves to sync_all(),
  // all_store_sync() or future::then (of the living), then closes. Nobody may send to this endpoint
  // any more: quiesce() of this index comes first, or where all ranks are on one machine a barrier.
  // A message to an endpoint that is not open yet waits for it; its sender may close meanwhile.
  // Where the endpoint is never opened, finalize ends a process with one line. A message to a
  // closed endpoint ends its sender with one line, the try_ forms included; one that is under way
  // while it closes ends this process, if it comes in time to be seen. Where the job goes on after
  // deaths, a line for each receiver is all that follows on different machines. The thread goes
  // back to what it used before. Not in a handler, nor in another thread; a thread closes its
  // endpoints in the reverse order of their opening. Whatever else is tried ends the process.
  ~endpoint();
  endpoint(const endpoint&) = delete;
  endpoint& operator=(const endpoint&) = delete;

  // Of this rank's endpoints, from 1.
  unsigned index() const noexcept;

 private:
  detail::owned<detail::engine> engine_;
  detail::engine* previous_;
};

// --- Requests: from the main program of the endpoint's thread, not inside a handler --------------

// Runs F(token, args...) at `to`. Polls while the way there is full. Cost: about 3 ns and a quarter
// to a whole cache line. Up to 56 bytes of arguments stand in one line; more take a payload. To an
// aggregated handler (handler.hpp) about 2 ns; it polls with each full block, too. A loop that
// sends keeps what it reads in local variables: handlers may run here, so the compiler fetches
// everything else again after each send.
template <auto F, class... A>
RAMJET_INLINE status request(address to, const A&... a) {
  return detail::send_short<F, detail::on_full::wait>(*detail::current_engine, to, a...);
}
// The same, but returns retry at once when there is no room (poll before the next try), and a wrong
// rank, length or address as a value. A refused message leaves no trace.
template <auto F, class... A>
[[nodiscard]] RAMJET_INLINE status try_request(address to, const A&... a) {
  return detail::send_short<F, detail::on_full::give_up>(*detail::current_engine, to, a...);
}
// With a payload of at most medium_bytes_max bytes, copied before this returns; the handler sees it
// whole and contiguous, until it returns. Cost: one copy. try_: as try_request.
template <auto F, class... A>
RAMJET_INLINE status request_medium(address to, const void* data, std::size_t count,
                                    const A&... a) {
  return detail::send_medium<F, detail::on_full::wait>(*detail::current_engine, to, data, count,
                                                       a...);
}
template <auto F, class... A>
[[nodiscard]] RAMJET_INLINE status try_request_medium(address to, const void* data,
                                                      std::size_t count, const A&... a) {
  return detail::send_medium<F, detail::on_full::give_up>(*detail::current_engine, to, data, count,
                                                          a...);
}
// Copies `count` bytes to `destination` in the segment of `to`, then runs F there. The destination
// is a global pointer to memory of that rank (completion.hpp has these forms), or its address among
// the segments: segment_begin(rank) and on. The bytes are in place before F runs. Cost: one copy,
// at any length, and a short message. try_: as try_request. To another machine it returns when the
// system has taken the bytes; handlers and other user-level threads run meanwhile. try_ waits for
// that, too, and nothing runs.
template <auto F, class... A>
RAMJET_INLINE status request_long(address to, void* destination, const void* data,
                                  std::size_t count, const A&... a) {
  return detail::send_long<F, detail::on_full::wait>(*detail::current_engine, to, destination, data,
                                                     count, a...);
}
template <auto F, class... A>
[[nodiscard]] RAMJET_INLINE status try_request_long(address to, void* destination, const void* data,
                                                    std::size_t count, const A&... a) {
  return detail::send_long<F, detail::on_full::give_up>(*detail::current_engine, to, destination,
                                                        data, count, a...);
}

// --- Chains: requests that are legal anywhere, inside handlers too -------------------------------

// Like request, but never waits: with no room it goes to a local queue that grows, and is sent in
// order as the engine polls. While it is not empty, request() to the same place waits behind it.
// The queue's named limit is RAMJET_CHAIN_LIMIT bytes an endpoint; past it the process ends and
// says so. As much may wait of what handlers write to other nodes (reply_long, put).
template <auto F, class... A>
RAMJET_INLINE status chain(address to, const A&... a) {
  return detail::send_short<F, detail::on_full::queue>(*detail::current_engine, to, a...);
}
// With a payload of at most medium_bytes_max bytes, copied before this returns.
template <auto F, class... A>
RAMJET_INLINE status chain_medium(address to, const void* data, std::size_t count, const A&... a) {
  return detail::send_medium<F, detail::on_full::queue>(*detail::current_engine, to, data, count,
                                                        a...);
}

// --- Calls ---------------------------------------------------------------------------------------

// Runs the plain function F(args...) at `to` as a request handler, and brings its result back: any
// trivially copyable value of up to 64 bytes, or none. Polls while the way there is full, so not in
// a handler. Cost: a round trip, and a slot in a pool.
template <auto F, class... A>
[[nodiscard]] auto call(address to, const A&... a) -> future<decltype(detail::result_of(F))> {
  static_assert(detail::is_plain_function<decltype(F)>, RAMJET_NO_PLAIN_FUNCTION);
  if constexpr (detail::is_plain_function<decltype(F)>) {
    using handlers = decltype(detail::call_handlers_of<F>(F));
    detail::engine& e = *detail::current_engine;
    detail::peer& p = detail::peer_for<&handlers::run, coproc_safe<F>>(e, to, "call");
    detail::call_state* s = detail::start_call(e, to.rank);
    const status sent = detail::send_short_to<&handlers::run, detail::on_full::wait>(e, p, a...);
    if (sent == status::ok) [[likely]]
      detail::await_answer(p, *s);
    else
      detail::finish_call(e, *s, sent);
    return detail::call_access::make<decltype(detail::result_of(F))>(e, s);
  } else {
    return {};
  }
}

// --- Progress ------------------------------------------------------------------------------------

// Runs the handlers of what has arrived; returns how many ran. Where user-level threads run, lets
// the ready ones go on, too. Not in a handler. An empty poll costs a few ns. A loop of polls that
// find nothing yields the processor from time to time, as a wait does, but does not sleep until
// something comes.
inline unsigned poll() { return detail::current_engine->poll_and_yield(); }

// Sends what gathers here: aggregated messages, as far as there is room, and what is for far ranks
// while the network is busy; it would leave with the next poll or wait, or with one of the next
// eight messages. For programs that compute next, without a call of Ramjet; --progress=coproc does
// it for them, 1 ms later. Runs no handler, does not wait. Legal in a handler. Cost: a few ns, and
// a system call for each far rank.
void flush();

// Polls until done() holds; sleeps as the machine's load advises. peer_failed if a rank dies
// meanwhile (once for each death). `name` stands in the hang report. If done() depends on memory
// that others write without a message, a sleeper calls it after 0.1, 0.2, 0.4 ms ..., at worst
// every 100 ms. Not in a handler. done() may send, but not where user-level threads run: their
// scheduler calls it. It may be called again after it held. It does not throw.
template <class Done>
status wait_until(Done&& done, const char* name = "wait_until") {
  if (done()) return status::ok;
  detail::waiting w{name};
  return detail::current_engine->wait(w, std::forward<Done>(done));
}

// The same, but gives up with timed_out after `milliseconds`.
template <class Done>
status wait_for(std::uint64_t milliseconds, Done&& done, const char* name = "wait_for") {
  detail::waiting w{name};
  w.deadline_ns = detail::deadline_in(milliseconds);
  return detail::current_engine->wait(w, std::forward<Done>(done));
}

}  // namespace ramjet

#pragma GCC visibility pop
