// SPDX-License-Identifier: Apache-2.0
// Messages and user-level threads (ult.hpp) together: handlers that run in a thread of their own,
// and so may block, send, wait, and reply when they are ready. (SCALE Suite 1997, section 3,
// "Techniques for Handling Active Messages": the flag that asks for a new thread.)
//
//   void on_job(ramjet::thread_token t, int n) {      // runs in a thread, at the receiver
//     int part = ramjet::call<half>(t.rank(), n).get();
//     ramjet::reply<on_result>(std::move(t), part);   // on_result(ramjet::reply_token, int)
//   }
//   ramjet::spawn_request<on_job>(peer, 17);
//
// Where user-level threads run, whatever waits (futures, sync, barriers, wait_until, requests
// without room) lets the others go on. Threads that communicate stay at the worker whose system
// thread has the endpoint: with one worker that is everybody; else bind them
// (attributes::worker, this_thread::bind). Collectives are called by one thread of a rank at a
// time. Join all threads before finalize.
#pragma once

#include <memory>

#include "ramjet/am.hpp"
#include "ramjet/ult/condition.hpp"
#include "ramjet/ult/thread.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

class thread_token;

namespace detail {

struct thread_token_access;

// The message that a thread was started for: its sender, and the name of its handler.
struct message_origin {
  address source;
  const char* handler;
};

template <auto F>
const char* name_of() noexcept {
  return __PRETTY_FUNCTION__;
}

// A thread of its own for a message, at this worker.
template <class F>
void start_thread_for_message(message_origin from, F&& f);
engine* message_thread_begins() noexcept;
void message_thread_ends(engine* begun_at) noexcept;
// Ends the process: what is being handled by `catch` has left the thread.
[[noreturn]] void message_thread_threw(message_origin from) noexcept;
// A token went away without an answer: ends the process, unless the requester is dead. In the
// unwinding of an exception it ends the process when the exception has left the thread, or else at
// the thread's end.
void drop_thread_token(message_origin from) noexcept;
unsigned long long messages_handled();

}  // namespace detail

// Handed to handlers that run in threads: the right and the duty to reply once, whenever they like.
// Movable. Its sender may wait for the reply, so a token that is destroyed without one ends the
// process with one line that names the handler and both ranks; dismiss() says that the sender does
// not wait. A token of a sender that has died may go without either.
class thread_token {
 public:
  thread_token(thread_token&& other) noexcept
      : origin_(other.origin_), open_(std::exchange(other.open_, false)) {}
  thread_token& operator=(thread_token&&) = delete;
  ~thread_token() {
    if (open_) [[unlikely]]
      detail::drop_thread_token(origin_);
  }

  // The sender of the message.
  address source() const noexcept { return origin_.source; }
  int rank() const noexcept { return origin_.source.rank; }
  // No reply follows.
  void dismiss() noexcept { open_ = false; }

 private:
  friend struct detail::thread_token_access;
  explicit thread_token(detail::message_origin from) noexcept : origin_(from) {}
  detail::message_origin origin_;
  bool open_ = true;
};

namespace detail {

struct thread_token_access {
  static thread_token make(message_origin from) noexcept { return thread_token(from); }
  static address use(thread_token&& t) {
    RAMJET_CHECK(std::exchange(t.open_, false), "a request is replied to at most once");
    return t.source();
  }
};

// The parameters of a handler that runs in a thread: maybe a thread_token first, maybe a payload
// last.
template <class F>
struct thread_shape : parameters<> {};  // of what is not such a function: refused
template <class... P>
struct thread_shape<void (*)(P...)> : split_rest<void, argument_list<>, P...> {};
template <class... P>
struct thread_shape<void (*)(thread_token, P...)>
    : split_rest<thread_token, argument_list<>, P...> {};
template <class... P>
struct thread_shape<void (*)(P...) noexcept> : thread_shape<void (*)(P...)> {};

#define RAMJET_NO_THREAD_HANDLER                                                                \
  "a handler in a thread is a plain function void(thread_token, ...) or void(...): no lambda, " \
  "no member function"
template <class F>
inline constexpr bool is_thread_handler = false;
template <class... P>
inline constexpr bool is_thread_handler<void (*)(P...)> = true;
template <class... P>
inline constexpr bool is_thread_handler<void (*)(P...) noexcept> = true;

template <auto F, class... A>
void call_thread_handler(message_origin from, const A&... a) {
  if constexpr (std::is_void_v<typename thread_shape<decltype(F)>::token>)
    F(a...);
  else
    F(thread_token_access::make(from), a...);
}

// The request handler that starts F's thread.
template <auto F, class List = typename thread_shape<decltype(F)>::arguments,
          class View = typename thread_shape<decltype(F)>::view>
struct starts;
template <auto F, class... A>
struct starts<F, argument_list<A...>, void> {
  static void run(request_token t, A... a) {
    const message_origin from{t.source(), name_of<F>()};
    start_thread_for_message(from, [from, ... a = a] { call_thread_handler<F>(from, a...); });
  }
};
template <auto F, class... A>
struct starts<F, argument_list<A...>, payload> {
  static void run(request_token t, A... a, payload p) {
    std::shared_ptr<std::byte[]> copy(new std::byte[p.size()]);
    if (p.size() != 0) std::memcpy(copy.get(), p.data(), p.size());
    const message_origin from{t.source(), name_of<F>()};
    start_thread_for_message(from, [from, ... a = a, copy, bytes = p.size()] {
      call_thread_handler<F>(from, a..., payload{{copy.get(), bytes}});
    });
  }
};

// The request handler that brings a thread's reply to the reply handler H.
template <auto H, class List = typename handler<H>::arguments>
struct delivers;
template <auto H, class... A>
struct delivers<H, argument_list<A...>> {
  static void run(request_token t, A... a) { H(token_access::as_reply(t), a...); }
};
template <auto H, class List = typename handler<H>::arguments>
struct delivers_payload;
template <auto H, class... A>
struct delivers_payload<H, argument_list<A...>> {
  static void run(request_token t, A... a, payload p) { H(token_access::as_reply(t), a..., p); }
};

template <class F>
void start_thread_for_message(message_origin from, F&& f) {
  engine* at = message_thread_begins();
  const ult::attributes here{.worker = int(ult::this_thread::worker())};
  ult::spawn(here, [from, f = std::forward<F>(f), at]() mutable {
    try {
      f();
    } catch (...) {
      message_thread_threw(from);
    }
    message_thread_ends(at);
  }).detach();
}

// Runs F at the callee, in a thread, and sends its result back as a request.
template <auto F, class R, class... A>
struct call_in_thread {
  using handlers = decltype(call_handlers_of<F>(F));
  static void run(request_token t, library_number call, A... a) {
    const message_origin from{t.source(), name_of<F>()};
    start_thread_for_message(from, [source = from.source, id = call.value, ... a = a] {
      using back = delivers<&handlers::done_by_number>;
      if constexpr (std::is_void_v<R>) {
        F(a...);
        request<&back::run>(source, id, nothing{});
      } else {
        request<&back::run>(source, id, F(a...));
      }
    });
  }
};
template <auto F, class R, class... P>
call_in_thread<F, R, P...> call_in_thread_of(R (*)(P...));
template <auto F, class R, class... P>
call_in_thread<F, R, P...> call_in_thread_of(R (*)(P...) noexcept);

}  // namespace detail

// Runs F(thread_token, args...) at `to`, in a new user-level thread there, bound to its worker. As
// request otherwise: not in a handler. F may leave out the token if it neither replies nor asks who
// sent. An exception that leaves F ends that process with one line that names it.
template <auto F, class... A>
status spawn_request(address to, const A&... a) {
  static_assert(detail::is_thread_handler<decltype(F)>, RAMJET_NO_THREAD_HANDLER);
  if constexpr (detail::is_thread_handler<decltype(F)>)
    return request<&detail::starts<F>::run>(to, a...);
  return status::ok;
}
// With a payload of at most medium_bytes_max bytes, which F sees until it returns.
template <auto F, class... A>
status spawn_request_medium(address to, const void* data, std::size_t count, const A&... a) {
  static_assert(detail::is_thread_handler<decltype(F)>, RAMJET_NO_THREAD_HANDLER);
  if constexpr (detail::is_thread_handler<decltype(F)>)
    return request_medium<&detail::starts<F>::run>(to, data, count, a...);
  return status::ok;
}

// Answers, from the handler's thread or any other one of its worker, now or later. The reply
// handler F runs at the requester. Waits for room, as request does; peer_failed if the requester
// has died.
template <auto F, class... A>
status reply(thread_token&& t, const A&... a) {
  return request<&detail::delivers<F>::run>(detail::thread_token_access::use(std::move(t)), a...);
}
template <auto F, class... A>
status reply_medium(thread_token&& t, const void* data, std::size_t count, const A&... a) {
  return request_medium<&detail::delivers_payload<F>::run>(
      detail::thread_token_access::use(std::move(t)), data, count, a...);
}

// As call, but F runs in a user-level thread at `to`: it may block, and call others in turn.
template <auto F, class... A>
[[nodiscard]] auto spawn_call(address to, const A&... a) -> future<decltype(detail::result_of(F))> {
  static_assert(detail::is_plain_function<decltype(F)>, RAMJET_NO_PLAIN_FUNCTION);
  if constexpr (detail::is_plain_function<decltype(F)>) {
    using in_thread = decltype(detail::call_in_thread_of<F>(F));
    detail::engine& e = *detail::current_engine;
    detail::call_state* s = detail::start_numbered_call(e, to.rank);
    const status sent = request<&in_thread::run>(to, detail::library_number{s->id}, a...);
    if (sent != status::ok) detail::finish_call(e, *s, sent);
    return detail::call_access::make<decltype(detail::result_of(F))>(e, s);
  } else {
    return {};
  }
}

// --- Conditions for ult::wait_until and ult::wait_any --------------------------------------------

// The call behind the future has ended, well or badly. The future stays where it is meanwhile.
template <class R>
auto ended(const future<R>& f) {
  return ult::value(detail::call_access::done_flag(f)) == true;
}

// A message has arrived at this endpoint and its handler has run, after this was made.
inline auto arrival() {
  struct new_arrival {
    unsigned long long before = detail::messages_handled();
    bool holds() const { return detail::messages_handled() != before; }
    void post_at(ult::detail::worker* w, ult::detail::place* at) const {
      const auto test = [](void* m) { return static_cast<new_arrival*>(m)->holds(); };
      ult::test(test, const_cast<new_arrival*>(this)).post_at(w, at);
    }
  };
  return new_arrival{};
}

}  // namespace ramjet

#pragma GCC visibility pop
