// SPDX-License-Identifier: Apache-2.0
// Atomic procedures: functions of the program that run where their data is. (Schauser et al. 1995,
// Experience with Active Messages on the Meiko CS-2, section 3: atomic functions.)
//
// A procedure F(T* at, args...) runs in the main thread of the rank that owns the element, inside a
// poll or a wait: atomic with respect to handlers, to other procedures there, and to what that
// thread computes between its polls. It keeps the rules of handlers: it returns soon, never waits
// and never polls. Of the accesses of gas.hpp it may make all that a handler may. The element is in
// a segment; arguments and the result are trivially copyable, the result at most 64 bytes.
//
//   call_atomic   brings the result back in a future
//   run_atomic    one way; complete at sync_all()
//
// Neither may be called inside a handler. What one thread sends to one rank runs there in order.
// peer_failed if the owner is dead. A pointer that cannot be followed ends the process, here.
// Threads: any with an endpoint. Cost: a message there and one back, also to one's own rank.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ramjet/am.hpp"
#include "ramjet/gas.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

namespace detail {

// F as a plain function of the pointer's bits. The owner checks them: they come from elsewhere.
template <auto F, class Function>
struct procedure;
template <auto F, class R, class T, class... A>
struct procedure<F, R (*)(T*, A...)> {
  using element = T;
  using result = R;
  static R run(std::uint64_t bits, A... a) {
    RAMJET_CHECK(rank_of(bits) == space.rank(), "an atomic procedure came to the wrong rank");
    return F(element_at<T>(bits, "atomic procedure"), a...);
  }
};
template <auto F, class R, class T, class... A>
struct procedure<F, R (*)(T*, A...) noexcept> : procedure<F, R (*)(T*, A...)> {};

template <auto F>
using procedure_of = procedure<F, decltype(F)>;

// Leaves the end of a call to sync_all(), and its result to nobody. How it went, if that is known.
status leave_to_sync(engine& e, call_state* s);
template <class R>
status end_at_sync(future<R> ended) {
  engine& e = call_access::engine_of(ended);
  return leave_to_sync(e, call_access::take(std::move(ended)));
}

}  // namespace detail

// Runs F(element, args...) at the element's owner.
template <auto F, far_pointer P, class... A>
[[nodiscard]] auto call_atomic(P at, const A&... a)
    -> future<typename detail::procedure_of<F>::result> {
  using procedure = detail::procedure_of<F>;
  static_assert(std::is_same_v<std::remove_cv_t<typename procedure::element>, far_value<P>>,
                "the procedure takes a pointer to an element of another type");
  static_assert(
      !std::is_const_v<typename P::element_type> || std::is_const_v<typename procedure::element>,
      "the procedure may write what the pointer may only read");
  static_cast<void>(detail::element_at<far_value<P>>(at.bits(), "call_atomic"));
  return call<&procedure::run>(at.rank(), at.bits(), a...);
}

// The same, one way: the result, if any, is dropped. The status is peer_failed if the owner is
// known to be dead; nothing is sent then.
template <auto F, far_pointer P, class... A>
status run_atomic(P at, const A&... a) {
  return detail::end_at_sync(call_atomic<F>(at, a...));
}

}  // namespace ramjet

#pragma GCC visibility pop
