// SPDX-License-Identifier: Apache-2.0
// What a handler may look like, checked at compile time. (von Eicken et al. 1992, section 2.2.)
//
//   void on_add(ramjet::request_token t, int key, double by);          short request
//   void on_block(ramjet::request_token t, int i, ramjet::payload p);  medium: p is valid inside
//   void on_row(ramjet::request_token t, int i, ramjet::deposit d);    long: d lies in our segment
//   void on_adds(std::span<const addition> all);                       aggregated: see below
//   void on_answer(ramjet::reply_token t, double value);               reply handler
//
// A handler is a plain function. The token may be left out by a request handler that neither
// replies nor asks who sent. Arguments are trivially copyable and passed by value.
//
// A call's arguments convert to the handler's parameter types as far as that keeps their values.
// These do not compile without a cast at the call:
//   an integer wider than int, as a narrower integer or a bool   request<on_add>(to, v.size(), 1.)
//   a floating-point number, as an integer or a narrower one     request<on_add>(to, 1.5, 1.)
//   a pointer as a bool
// An integer up to the size of int may be given for a narrower one, since constants are ints; if it
// is not a constant, its value is checked when it is sent, and one that does not fit ends the
// process. A change between signed and unsigned of one size is allowed, and so is an integer as a
// floating-point number. The same holds for calls, procedures, replies, values of gas.hpp's
// accesses, and the items, keys and values of containers.
//
// Addresses (pointers, references, spans, string_views, iterators, lambdas with captures) are
// refused, also in arrays, optionals, pairs and the like, unless same_everywhere says otherwise
// (detail/am/carried.hpp); pointers into segments go as segment_ptr. Members of the program's own
// structures are not checked. A handler runs to completion on the thread that polls (or on the
// co-processor, below): it never blocks or polls; a request handler may reply once, any handler may
// chain.
//
//   template <> inline constexpr bool ramjet::coproc_safe<&on_read> = true;   see below
//   template <> inline constexpr bool ramjet::aggregated<&on_add> = true;     see below
#pragma once

#include <span>
#include <type_traits>
#include <utility>

#include "ramjet/detail/am/carried.hpp"
#include "ramjet/detail/am/engine.hpp"
#include "ramjet/detail/am/packed.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

// An endpoint of a rank. A bare rank means its endpoint 0.
struct address {
  int rank = 0;
  unsigned endpoint = 0;
  constexpr address(int r, unsigned e = 0) noexcept : rank(r), endpoint(e) {}  // NOLINT: implicit
  // A rank in a wider integer; no rank if it does not fit an int.
  template <class Wide>
    requires(std::is_integral_v<Wide> && sizeof(Wide) > sizeof(int))
  constexpr address(Wide r, unsigned e = 0) noexcept  // NOLINT: implicit
      : rank(r == Wide(int(r)) && int(r) >= 0 ? int(r) : -1), endpoint(e) {}
  friend constexpr bool operator==(address, address) = default;
};

// Whether the request handler, or function of a call, F may run beside the main program, on the
// co-processor: a thread of the library in each rank that serves such messages at once, however
// busy the rank is. (Schauser et al. 1996, Exploiting the Capabilities of Communications
// Co-processors, section 3.) Specialised where F is declared, before F is first sent.
//
// It takes effect where the job has co-processors (options::progress) and the message goes to
// endpoint 0; everywhere else F runs in the rank's poll as ever. What F touches is then touched by
// two threads: F makes that sound (atomics, or data that is constant meanwhile). On a co-processor
// F may reply and chain like any handler, and make user-level threads ready (semaphore::release,
// latch::count_down, notify_one); a call that starts a thread, or that would wait, ends the process
// with one line. Replies run where their requester polls. Messages of one sender keep their order
// among those with coproc_safe handlers, and among the others, but not between the two.
template <auto F>
inline constexpr bool coproc_safe = false;

// Whether the messages of short request handler F are aggregated: while their receiver is behind,
// they gather at the sender, one block for each handler and destination, and leave together. The
// code of a send is a compare and a copy of the arguments, so it can stand in a hot loop.
// Specialised where F is declared, before F is first sent. F takes no request_token: nobody waits
// for the answer to one of many.
//
// A handler that takes its items as a span, `void f(std::span<const item> all)` or `void
// f(ramjet::request_token t, std::span<const item> all)`, is aggregated without this: it gets a
// block at a time, so that it can look ahead, and may reply once to all of it. It is sent like a
// handler that takes one item: request<&f>(to, item). The span is valid until it returns.
//
// A message to a receiver that has taken all that this endpoint sent it before leaves at once, and
// costs what a short message does. Others leave when their block is full, when the receiver has
// caught up (looked at from time to time while sending, and in each poll), when a poll finds that
// nothing was added since the last one, before any other message to the same place, and by flush().
// No timer is involved: a program that sends, and then makes no call of Ramjet, keeps them. quiesce
// counts them. The messages of one handler to one destination keep their order, and what is sent
// there later by a handler that is not aggregated comes after them; two aggregated handlers have no
// order between them.
//
// A block is full with 8 KiB at most, so that the reply to all of it may be eight times as long. To
// another machine blocks of handlers that take no request_token grow to 60 KiB. Memory: 32 bytes
// for each endpoint of the job and handler sent to, and for each that had to wait as much as its
// block has held.
template <auto F>
inline constexpr bool aggregated = false;

namespace detail {
// A run of bytes that a message brought.
struct byte_view {
  std::byte* bytes;
  std::size_t count;
  void* data() const noexcept { return bytes; }
  std::size_t size() const noexcept { return count; }
  // The bytes as an array of T: as many whole ones as there are.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  std::span<T> as() const noexcept {
    return {reinterpret_cast<T*>(bytes), count / sizeof(T)};
  }
};
}  // namespace detail

// The bytes of a medium message. Valid until the handler returns; aligned to 16 bytes.
struct payload : detail::byte_view {};

// The bytes that a long message put into this rank's segment. They stay.
struct deposit : detail::byte_view {};

// A plain pointer into a segment, as an argument: all segments lie at the same addresses in every
// rank. It becomes the pointer again wherever one is wanted. That it is one into a segment is the
// program's promise.
template <class T>
class segment_ptr {
 public:
  constexpr segment_ptr(T* at) noexcept : at_(at) {}  // NOLINT: implicit
  constexpr operator T*() const noexcept { return at_; }  // NOLINT: implicit

 private:
  T* at_;
};

namespace detail {
struct token_access;

class token {
 public:
  // The sender of the message.
  address source() const noexcept { return {int(peer_->rank), engine_->endpoint_of(peer_->port)}; }
  int rank() const noexcept { return int(peer_->rank); }

 protected:
  friend struct token_access;
  token(engine& e, peer& p, word* w, std::uint64_t header) noexcept
      : engine_(&e), peer_(&p), record_(w), header_(header) {}
  engine* engine_;
  peer* peer_;
  word* record_;  // nullptr once the request is answered
  std::uint64_t header_;
};

// A token answers another request than the one that is being handled: ends the process.
[[noreturn]] RAMJET_COLD void refuse_late_reply(address source, std::uint64_t header) noexcept;
}  // namespace detail

// Handed to request handlers: the right to reply once, until the handler returns. reply() consumes
// it. It may be moved, but a reply by one that has outlived its handler ends the process with one
// line: a thread_token (threads.hpp) may be answered later.
class request_token : public detail::token {
 public:
  request_token(request_token&& other) noexcept : token(other), moved_(true) {
    other.record_ = nullptr;
  }
  request_token& operator=(request_token&&) = delete;

 private:
  friend struct detail::token_access;
  using token::token;
  bool moved_ = false;  // only such a token can outlive its handler
};

// Handed to reply handlers: says who replied. Nothing can be sent with it.
class reply_token : public detail::token {
 public:
  reply_token(reply_token&& other) noexcept = default;
  reply_token& operator=(reply_token&&) = delete;

 private:
  friend struct detail::token_access;
  using token::token;
};

namespace detail {

struct token_access {
  template <class Token>
  static RAMJET_INLINE Token make(engine& e, peer& p, word* w, std::uint64_t header) noexcept {
    return Token(e, p, w, header);
  }
  // Answers with what pack writes, and uses the token up.
  template <class Pack>
  static RAMJET_INLINE void answer(request_token&& t, unsigned handler, std::size_t bytes,
                                   Pack&& pack, const void* data = nullptr, std::size_t count = 0) {
    RAMJET_CHECK(t.record_ != nullptr, "a request is replied to at most once");
    if (t.moved_ && !t.engine_->is_handling(*t.peer_, t.record_, t.header_)) [[unlikely]]
      refuse_late_reply(t.source(), t.header_);
    t.engine_->answer(*t.peer_, std::exchange(t.record_, nullptr), t.header_, handler, bytes, pack,
                      data, count);
  }
  static engine& engine_of(const token& t) noexcept { return *t.engine_; }
  static peer& peer_of(const token& t) noexcept { return *t.peer_; }
  static void deposit_for(const token& t, void* to, const void* data, std::size_t count) {
    t.engine_->deposit(*t.peer_, to, data, count, false);
  }
  // The sender of this request answers an earlier one by it.
  static reply_token as_reply(const request_token& t) noexcept {
    return reply_token(*t.engine_, *t.peer_, t.record_, t.header_);
  }
};

enum class message_kind { short_, medium, long_, items };

// The items of a block.
template <class T>
inline constexpr bool is_items = false;
template <class T>
inline constexpr bool is_items<std::span<const T>> = true;
template <class T>
struct item_type {
  using type = void;
};
template <class T>
struct item_type<std::span<const T>> {
  using type = T;
};

template <class T>
inline constexpr bool is_view =
    std::is_same_v<T, payload> || std::is_same_v<T, deposit> || is_items<T>;
template <class T>
inline constexpr bool is_token = std::is_same_v<T, request_token> || std::is_same_v<T, reply_token>;

template <class... A>
struct argument_list {};
// What a long message carries: where its data lies, then its arguments.
template <class... A>
auto led_by_deposit(argument_list<A...>) -> argument_list<deposit, A...>;

// Strips a leading token and a trailing view from a handler's parameters.
template <class Token, class View, class... Done>
struct split_parameters {
  using token = Token;
  using view = View;
  using arguments = argument_list<Done...>;
  static constexpr bool ok = true;
};
template <class Token, class List, class... Rest>
struct split_rest;
template <class Token, class... Done>
struct split_rest<Token, argument_list<Done...>> : split_parameters<Token, void, Done...> {};
template <class Token, class... Done, class Last>
struct split_rest<Token, argument_list<Done...>, Last>
    : std::conditional_t<is_view<Last>, split_parameters<Token, Last, Done...>,
                         split_parameters<Token, void, Done..., Last>> {};
template <class Token, class... Done, class Next, class After, class... Rest>
struct split_rest<Token, argument_list<Done...>, Next, After, Rest...>
    : split_rest<Token, argument_list<Done..., Next>, After, Rest...> {
  static_assert(!is_view<Next>, "a payload or deposit is the last parameter of a handler");
};

template <class... P>
struct parameters : split_rest<void, argument_list<>, P...> {};
template <class First, class... P>
  requires is_token<First>
struct parameters<First, P...> : split_rest<First, argument_list<>, P...> {};

// What is said of the others, where the first of them is seen.
#define RAMJET_NO_PLAIN_FUNCTION \
  "a handler is a plain function: no lambda, no member function, no function object"
template <class F>
inline constexpr bool is_plain_function = false;
template <class R, class... P>
inline constexpr bool is_plain_function<R (*)(P...)> = true;
template <class R, class... P>
inline constexpr bool is_plain_function<R (*)(P...) noexcept> = true;

template <class F>
struct function_parameters : parameters<> {
  using result = void;
  using all = argument_list<>;
};
template <class R, class... P>
struct function_parameters<R (*)(P...)> : parameters<P...> {
  using result = R;
  using all = argument_list<P...>;
};
template <class R, class... P>
struct function_parameters<R (*)(P...) noexcept> : function_parameters<R (*)(P...)> {};

template <class... A>
constexpr bool check_arguments(argument_list<A...>) {
  static_assert(
      (!holds_address<A> && ...),
      "an argument is an address (pointer, reference, span, view, iterator, capturing "
      "lambda), which means nothing in another process: send a payload, global_ptr or segment_ptr");
  static_assert((std::is_trivially_copyable_v<A> && ...),
                "handler arguments are trivially copyable and passed by value");
  static_assert((!is_token<A> && ...), "the token is the first parameter of a handler");
  return true;
}

// All that is known about handler F at compile time, its entry in the registry, and its thunk.
template <auto F>
struct handler {
  using shape = function_parameters<decltype(F)>;
  using view = typename shape::view;
  using item = typename item_type<view>::type;
  using arguments =
      std::conditional_t<is_items<view>, argument_list<item>, typename shape::arguments>;
  static constexpr bool reply = std::is_same_v<typename shape::token, reply_token>;
  static constexpr message_kind kind = std::is_void_v<view>            ? message_kind::short_
                                       : is_items<view>                ? message_kind::items
                                       : std::is_same_v<view, payload> ? message_kind::medium
                                                                       : message_kind::long_;
  static constexpr bool gathers = is_items<view> || aggregated<F>;
  static constexpr answers may_answer =
      std::is_same_v<typename shape::token, request_token> ? answers::one : answers::none;
  static_assert(is_plain_function<decltype(F)>, RAMJET_NO_PLAIN_FUNCTION);
  static_assert(std::is_void_v<typename shape::result>, "a handler returns void");
  static_assert(check_arguments(arguments{}));
  static_assert(!is_items<view> || std::is_same_v<typename shape::arguments, argument_list<>>,
                "a handler that takes its items as a span takes nothing else but a request_token");
  static_assert(!gathers || !reply, "a reply handler is not aggregated");
  static_assert(
      !aggregated<F> || is_items<view> ||
          (std::is_void_v<view> && std::is_void_v<typename shape::token>),
      "an aggregated handler takes no request_token, payload or deposit: one that replies "
      "takes its items as a span");

  static const char* name() noexcept { return __PRETTY_FUNCTION__; }

  // The thunk: reads the arguments out of the record and calls F.
  static void run(engine& e, peer& p, word* w, std::uint64_t header) noexcept {
    if constexpr (gathers) {
      run_items(e, p, w, header, arguments{});
    } else if constexpr (kind == message_kind::long_) {
      run_with(e, p, w, header, decltype(led_by_deposit(arguments{})){});
    } else {
      run_with(e, p, w, header, arguments{});
    }
  }

  static RAMJET_INLINE unsigned index() noexcept {
    static_cast<void>(&registered);
    return index_;
  }

 private:
  template <class... A>
  static RAMJET_INLINE void run_with(engine& e, peer& p, word* w, std::uint64_t header,
                                     argument_list<A...>) noexcept {
    using layout = packed<A...>;
    RAMJET_CHECK(argument_bytes_of(header) == layout::bytes,
                 "a message's arguments are not those of its handler");
    if constexpr (kind == message_kind::medium) {
      run_extended<A...>(e, p, w, header);
    } else {
      if (header & kExtended) [[unlikely]]
        return run_extended_slow<A...>(e, p, w, header);
      run_inside<A...>(e, p, w, header);
    }
  }
  // The arguments stand in the record.
  template <class... A>
  static RAMJET_INLINE void run_inside(engine& e, peer& p, word* w, std::uint64_t header) noexcept {
    constexpr unsigned words = 1 + (packed<A...>::bytes + 7) / 8;
    RAMJET_CHECK(words <= words_of(header), "a message's arguments do not fit its record");
    const engine::extent x{reinterpret_cast<const std::byte*>(w + 1), nullptr, 0};
    call<A...>(e, p, w, header, x, std::index_sequence_for<A...>{});
  }
  // A payload ring holds some of it.
  template <class... A>
  static RAMJET_INLINE void run_extended(engine& e, peer& p, word* w,
                                         std::uint64_t header) noexcept {
    if ((header & kExtended) == 0) return run_inside<A...>(e, p, w, header);
    const engine::extent x = reply ? e.open_reply(p, w, header) : e.open_request(p, w, header);
    call<A...>(e, p, w, header, x, std::index_sequence_for<A...>{});
    reply ? e.close_reply(p) : e.close_request(p, w);
  }
  // Out of line, so that a short message's thunk needs no registers for it.
  template <class... A>
  static RAMJET_COLD void run_extended_slow(engine& e, peer& p, word* w,
                                            std::uint64_t header) noexcept {
    run_extended<A...>(e, p, w, header);
  }

  template <class... A, std::size_t... I>
  static RAMJET_INLINE void call(engine& e, peer& p, word* w, std::uint64_t header,
                                 const engine::extent& x, std::index_sequence<I...>) noexcept {
    using layout = packed<A...>;
    const auto with_token = [&](const auto&... values) __attribute__((always_inline)) {
      if constexpr (!is_plain_function<decltype(F)>) {
        return;  // refused above
      } else if constexpr (std::is_void_v<typename shape::token>) {
        F(values...);
      } else {
        F(token_access::make<typename shape::token>(e, p, w, header), values...);
      }
    };
    if constexpr (kind == message_kind::long_) {
      with_deposit<A...>(e, x, with_token);
    } else if constexpr (kind == message_kind::medium) {
      with_token(read_argument<A>(x.arguments + layout::offsets[I])...,
                 payload{{x.payload, x.payload_bytes}});
    } else {
      with_token(read_argument<A>(x.arguments + layout::offsets[I])...);
    }
  }
  // An item by itself stands in the record like a short message's arguments.
  template <class... A>
  static RAMJET_INLINE void run_items(engine& e, peer& p, word* w, std::uint64_t header,
                                      argument_list<A...>) noexcept {
    using layout = packed<A...>;
    static_assert(layout::bytes != 0, "an aggregated handler takes arguments");
    if ((header & kExtended) == 0) {
      RAMJET_CHECK(argument_bytes_of(header) == layout::bytes &&
                       1 + (layout::bytes + 7) / 8 <= words_of(header),
                   "a message's arguments are not those of its handler");
      const auto* const at = reinterpret_cast<const std::byte*>(w + 1);
      if constexpr (is_items<view>) {
        const item one = read_argument<item>(at);
        run_block(e, p, w, header, view{&one, 1});
      } else {
        run_each<A...>(at, 1, std::index_sequence_for<A...>{});
      }
    } else {
      const engine::extent x = e.open_request(p, w, header);
      RAMJET_CHECK(argument_bytes_of(header) == 0 && x.payload_bytes % layout::bytes == 0,
                   "a block's items are not those of its handler");
      const std::size_t count = x.payload_bytes / layout::bytes;
      if constexpr (is_items<view>)
        run_block(e, p, w, header, view{reinterpret_cast<const item*>(x.payload), count});
      else
        run_each<A...>(x.payload, count, std::index_sequence_for<A...>{});
      e.close_request(p, w);
    }
  }
  template <class... A, std::size_t... I>
  static RAMJET_INLINE void run_each(const std::byte* at, std::size_t count,
                                     std::index_sequence<I...>) noexcept {
    using layout = packed<A...>;
    for (; count != 0; --count, at += layout::bytes)
      F(read_argument<A>(at + layout::offsets[I])...);
  }
  template <class Items>
  static RAMJET_INLINE void run_block(engine& e, peer& p, word* w, std::uint64_t header,
                                      Items all) noexcept {
    if constexpr (std::is_void_v<typename shape::token>)
      F(all);
    else
      F(token_access::make<typename shape::token>(e, p, w, header), all);
  }

  // A long message's first argument says where its data lies; the handler takes that last.
  template <class First, class... A, class Call>
  static RAMJET_INLINE void with_deposit(engine& e, const engine::extent& x,
                                         const Call& call) noexcept {
    using layout = packed<First, A...>;
    const deposit where = read_argument<deposit>(x.arguments);
    RAMJET_CHECK(e.in_segment(e.rank(), where.bytes, where.count),
                 "a long message's data lies outside this rank's segment");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      call(read_argument<A>(x.arguments + layout::offsets[I + 1])..., where);
    }(std::index_sequence_for<A...>{});
  }

  static inline std::uint16_t index_ = 0;
  static inline handler_record record_{nullptr, &run, nullptr, &index_, reply, nullptr};
  static inline const bool registered = (record_.name = name(), register_handler(&record_));
};

}  // namespace detail
}  // namespace ramjet

#pragma GCC visibility pop
