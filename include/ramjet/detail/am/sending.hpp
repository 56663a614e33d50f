// SPDX-License-Identifier: Apache-2.0
// From a send call to the engine: the peer, the arguments' packing, what a full lane means. All
// that am.hpp's sends share.
#pragma once

#include <type_traits>
#include <utility>

#include "ramjet/detail/base/conversion.hpp"
#include "ramjet/handler.hpp"
#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

// Says what is wrong with a call, and ends the process.
[[noreturn]] void misuse(status s, const char* call, const char* handler, address to,
                         std::size_t bytes) noexcept;
// The same of a long message whose data would not lie in the segment of `to`.
[[noreturn]] void refuse_destination(const char* call, const char* handler, address to,
                                     const void* destination, std::size_t bytes) noexcept;

inline void check_data(const void* data, std::size_t count) {
  RAMJET_CHECK(data != nullptr || count == 0,
               "a message's payload or data is null, and its length is not 0");
}

template <class T>
inline constexpr bool is_of_library =
    std::is_same_v<T, deposit> || std::is_same_v<T, library_number>;

template <class... A, int... I, class... Given>
RAMJET_INLINE auto pack_fitting(std::integer_sequence<int, I...>, const Given&... given) {
  constexpr int before = (0 + ... + int(is_of_library<A>));
  return [... values = fit_argument<I + 1 - before, A>(given)](std::byte* to) {
    packed<A...>::put(to, values...);
  };
}

// The arguments, converted to what handler F takes, as one packing function.
template <auto F, class... A, class... Given>
RAMJET_INLINE auto pack_arguments(argument_list<A...>, const Given&... given) {
  if constexpr (sizeof...(A) != sizeof...(Given)) {
    static_assert(!is_plain_function<decltype(F)>, "wrong number of arguments for this handler");
    return [](std::byte*) {};
  } else if constexpr (!(std::is_convertible_v<const Given&, A> && ...)) {
    static_assert(!is_plain_function<decltype(F)>,
                  "an argument does not convert to what this handler takes");
    return [](std::byte*) {};
  } else {
    return pack_fitting<A...>(std::make_integer_sequence<int, int(sizeof...(A))>{}, given...);
  }
}
template <class... A>
constexpr std::size_t packed_bytes(argument_list<A...>) {
  return packed<A...>::bytes;
}

// One request by the given policy. A medium has a payload; a short one has none.
template <auto F, on_full Policy, class Pack>
RAMJET_INLINE status send(engine& e, peer& p, std::size_t bytes, Pack&& pack, const void* data,
                          std::size_t count) {
  if constexpr (Policy == on_full::wait) {
    return e.post<true>(p, handler<F>::index(), bytes, pack, data, count);
  } else {
    status s = e.post<false>(p, handler<F>::index(), bytes, pack, data, count);
    if constexpr (Policy == on_full::queue) {
      if (s == status::retry) [[unlikely]] {
        std::byte arguments[kArgumentBytesMax];
        pack(arguments);
        e.enqueue(p, handler<F>::index(), arguments, bytes, data, count);
        s = status::ok;
      }
    }
    return s;
  }
}

// The peer that handler F's messages to this address go to.
template <bool Safe>
RAMJET_INLINE peer* find_peer(engine& e, address to) {
  return Safe ? e.find_for_coprocessor(to.rank, to.endpoint) : e.find(to.rank, to.endpoint);
}

// Out of line, so that a loop around a send that is aggregated keeps its variables in registers.
template <auto F, on_full Policy, class Pack>
RAMJET_COLD status add_slow(engine& e, unsigned port, Pack pack) {
  constexpr std::size_t bytes = packed_bytes(typename handler<F>::arguments{});
  std::byte item[bytes];
  pack(item);
  return e.add_item(port, handler<F>::index(), item, bytes, Policy, handler<F>::may_answer);
}

template <auto F, on_full Policy, bool Safe, class... A>
RAMJET_INLINE status send_item(engine& e, address to, const A&... a) {
  using h = handler<F>;
  if (!e.is_in_job(to.rank, to.endpoint)) [[unlikely]] {
    if constexpr (Policy == on_full::give_up) return status::bad_rank;
    misuse(status::bad_rank, "request", h::name(), to, 0);
  }
  const unsigned port = e.template port_number<Safe>(to.rank, to.endpoint);
  const auto pack = pack_arguments<F>(typename h::arguments{}, a...);
  item_block& b = e.block_of(h::index(), port);
  std::byte* const at = b.at;
  if (at == b.end) [[unlikely]]
    return add_slow<F, Policy>(e, port, pack);
  pack(at);
  b.at = at + packed_bytes(typename h::arguments{});
  return status::ok;
}

// The same for a `call` of the program; an address outside the job ends the process.
template <auto F, bool Safe>
RAMJET_INLINE peer& peer_for(engine& e, address to, const char* call) {
  peer* const p = find_peer<Safe>(e, to);
  if (p == nullptr) [[unlikely]]
    misuse(status::bad_rank, call, handler<F>::name(), to, 0);
  return *p;
}

template <auto F, on_full Policy, class... A>
RAMJET_INLINE status send_short_to(engine& e, peer& p, const A&... a) {
  constexpr std::size_t bytes = packed_bytes(typename handler<F>::arguments{});
  return send<F, Policy>(e, p, bytes, pack_arguments<F>(typename handler<F>::arguments{}, a...),
                         nullptr, 0);
}

template <auto F, on_full Policy, bool Safe = coproc_safe<F>, class... A>
RAMJET_INLINE status send_short(engine& e, address to, const A&... a) {
  using h = handler<F>;
  static_assert(!h::reply, "a reply handler is named by reply, not by a request");
  static_assert(h::kind == message_kind::short_ || h::kind == message_kind::items,
                "this handler takes a payload or a deposit");
  if constexpr (h::gathers) {
    return send_item<F, Policy, Safe>(e, to, a...);
  } else {
    if constexpr (Policy == on_full::give_up) {
      peer* const p = find_peer<Safe>(e, to);
      return p == nullptr ? status::bad_rank : send_short_to<F, Policy>(e, *p, a...);
    } else {
      return send_short_to<F, Policy>(e, peer_for<F, Safe>(e, to, "request"), a...);
    }
  }
}

template <auto F, on_full Policy, class... A>
RAMJET_INLINE status send_medium(engine& e, address to, const void* data, std::size_t count,
                                 const A&... a) {
  using h = handler<F>;
  static_assert(!h::reply, "a reply handler is named by reply, not by a request");
  static_assert(h::kind == message_kind::medium, "this handler takes no payload");
  peer* p = find_peer<coproc_safe<F>>(e, to);
  const status bad = p == nullptr              ? status::bad_rank
                     : count > kMediumBytesMax ? status::too_large
                                               : status::ok;
  if (bad != status::ok) [[unlikely]] {
    if constexpr (Policy == on_full::give_up) return bad;
    misuse(bad, "request_medium", h::name(), to, count);
  }
  check_data(data, count);
  constexpr std::size_t bytes = packed_bytes(typename h::arguments{});
  return send<F, Policy>(e, *p, bytes, pack_arguments<F>(typename h::arguments{}, a...), data,
                         count);
}

template <auto F, on_full Policy, class... A>
RAMJET_INLINE status send_long(engine& e, address to, void* destination, const void* data,
                               std::size_t count, const A&... a) {
  using h = handler<F>;
  using all = decltype(led_by_deposit(typename h::arguments{}));
  static_assert(!h::reply, "a reply handler is named by reply, not by a request");
  static_assert(h::kind == message_kind::long_, "this handler takes no deposit");
  peer* p = find_peer<coproc_safe<F>>(e, to);
  if (p == nullptr) [[unlikely]] {
    if constexpr (Policy == on_full::give_up) return status::bad_rank;
    misuse(status::bad_rank, "request_long", h::name(), to, count);
  }
  if (!e.in_segment(to.rank, destination, count)) [[unlikely]] {
    if constexpr (Policy == on_full::give_up) return status::bad_address;
    refuse_destination("request_long", h::name(), to, destination, count);
  }
  check_data(data, count);
  const deposit where{{static_cast<std::byte*>(destination), count}};
  const auto arguments = pack_arguments<F>(all{}, where, a...);
  const auto pack =
      [&](std::byte* at) {  // runs once there is room: a refused message leaves no trace
        e.deposit(*p, destination, data, count, Policy == on_full::wait);
        arguments(at);
      };
  return send<F, Policy>(e, *p, packed_bytes(all{}), pack, nullptr, 0);
}

template <auto F, message_kind Kind>
constexpr void check_reply() {
  static_assert(handler<F>::reply, "reply names a handler that takes a reply_token");
  static_assert(handler<F>::kind == Kind,
                "reply, reply_medium and reply_long go with handlers "
                "without a view, with a payload, with a deposit");
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
