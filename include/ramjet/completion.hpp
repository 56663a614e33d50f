// SPDX-License-Identifier: Apache-2.0
// Completion that a program names, beside the counters of gas.hpp: futures for single split-phase
// operations, and puts that notify their target. (Culler et al. 1993, Parallel Programming in
// Split-C, section 5: signalling stores.)
//
// Errors, as in gas.hpp: a pointer that cannot be followed ends the process. Deaths: a future of a
// dead rank's memory on another node ends with peer_failed, and its get() throws failure.
// Threads: any with an endpoint. Inside a handler: the puts with a counter.
// Cost: a future, besides its access, a slot of a pool: some 10 ns. On the node the access is over
// when the call returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "ramjet/am.hpp"
#include "ramjet/gas.hpp"
#include "ramjet/job.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

namespace detail {

// What is done already, in place, as a call to `rank` that has ended.
template <class R, class... Value>
future<R> ended_call(std::uint64_t rank, const Value&... value) {
  static_assert((... && (sizeof(Value) <= call_state::kValueBytes)),
                "a future holds at most 64 bytes: use bulk_get_future");
  engine& e = *current_engine;
  call_state* s = start_call(e, int(rank));
  (..., std::memcpy(s->value, &value, sizeof value));
  s->is.done = true;
  return call_access::make<R>(e, s);
}

// The future of a far access.
template <class R>
future<R> far_call(call_state* s) {
  return call_access::make<R>(*current_engine, s);
}

// Where a rank's byte lies among the segments of all, this rank's own too.
inline std::byte* segment_address(std::uint64_t bits, std::size_t bytes,
                                  const char* call) noexcept {
  static_cast<void>(reach(bits, bytes, call));
  return reinterpret_cast<std::byte*>(space.segment_base + rank_of(bits) * space.segment_bytes +
                                      (address_of(bits) - space.window_base));
}

// Where a long message to that rank puts its data; null if the pointer is another rank's.
inline std::byte* long_destination(address to, global_ptr<void> destination) noexcept {
  const std::uint64_t bits = destination.bits();
  if (to.rank != destination.rank()) return nullptr;
  return reinterpret_cast<std::byte*>(space.segment_base + rank_of(bits) * space.segment_bytes +
                                      (address_of(bits) - space.window_base));
}

// What a far put has to wait for before a signal: accesses to one rank keep their order.
inline completes before_signal(std::uint64_t to, std::uint64_t counter) noexcept {
  return rank_of(to) == rank_of(counter) ? completes::at_sync : completes::now;
}

}  // namespace detail

// --- Futures ------------------------------------------------------------------------------------

// Each is ready when its own operation is complete, also at the target. Values: at most 64 bytes.
template <far_pointer P>
[[nodiscard]] future<far_value<P>> get_future(P from) {
  using value = far_value<P>;
  static_assert(sizeof(value) <= detail::call_state::kValueBytes,
                "a future holds at most 64 bytes: use bulk_get_future");
  detail::fence_pending_writes();
  const std::byte* const here = detail::reach<sizeof(value)>(from.bits(), "get_future");
  if (here == nullptr)
    return detail::far_call<value>(
        detail::far_value_call(from.bits(), sizeof(value), "get_future"));
  return detail::ended_call<value>(detail::rank_of(from.bits()), detail::load_at<value>(here));
}
template <far_target P, value_for<P> V = far_value<P>>
[[nodiscard]] future<void> put_future(P to, const V& given) {
  using target = far_value<P>;
  const target& value = detail::fit_argument<2, target>(given);
  std::byte* const here = detail::reach<sizeof(target)>(to.bits(), "put_future");
  if (here == nullptr)
    return detail::far_call<void>(
        detail::far_out_call(to.bits(), &value, sizeof(target), "put_future"));
  detail::store_at<target>(here, value);
  detail::fence_pending_writes();
  return detail::ended_call<void>(detail::rank_of(to.bits()));
}
// `into` is undefined, and stays in memory, until the future is ready.
[[nodiscard]] inline future<void> bulk_get_future(void* into, global_ptr<const void> from,
                                                  std::size_t bytes) {
  detail::fence_pending_writes();
  if (bytes != 0 && detail::reach(from.bits(), bytes, "bulk_get_future") == nullptr)
    return detail::far_call<void>(detail::far_in_call(into, from.bits(), bytes, "bulk_get_future"));
  detail::copy_in(into, from.bits(), bytes, detail::completes::now, "bulk_get_future");
  return detail::ended_call<void>(detail::rank_of(from.bits()));
}
// `from` may be used again at once.
[[nodiscard]] inline future<void> bulk_put_future(global_ptr<void> to, const void* from,
                                                  std::size_t bytes) {
  if (bytes != 0 && detail::reach(to.bits(), bytes, "bulk_put_future") == nullptr)
    return detail::far_call<void>(detail::far_out_call(to.bits(), from, bytes, "bulk_put_future"));
  detail::copy_out(to.bits(), from, bytes, detail::completes::now, "bulk_put_future");
  detail::fence_pending_writes();
  return detail::ended_call<void>(detail::rank_of(to.bits()));
}
template <far_counter P, value_for<P> V = far_value<P>>
[[nodiscard]] future<far_value<P>> fetch_add_future(P at, const V& given) {
  using value = far_value<P>;
  const value by = detail::fit_argument<2, value>(given);
  if (detail::reach<sizeof(value)>(at.bits(), "fetch_add_future") == nullptr)
    return detail::far_call<value>(detail::far_add_call(at.bits(), detail::bits_of_word(by),
                                                        sizeof(value), "fetch_add_future"));
  return detail::ended_call<value>(detail::rank_of(at.bits()), fetch_add(at, by));
}

// --- Puts with a signal -------------------------------------------------------------------------

// Adds `by` to the counter and wakes its rank if it sleeps in a wait. Cost: an atomic addition, and
// a load that says whether the rank sleeps. To another node one way, complete at sync_all().
template <far_counter C, value_for<C> B = far_value<C>>
void signal(C counter, const B& by = 1) noexcept {
  using detail::access_op, detail::completes;
  detail::atomic<access_op::signal, completes::at_sync>(
      counter, detail::fit_argument<2, far_value<C>>(by), {}, "signal");
}
// Puts the value, then signals at a counter, of the same rank as a rule: a reader that sees the sum
// sees the value too. If it is another rank's, and the value goes to another node, it waits in
// between: not in a handler. If the value's owner died there, it throws failure, and does not
// signal.
template <far_target P, far_counter C, value_for<P> V = far_value<P>, value_for<C> B = far_value<C>>
void put_signal(P to, const V& value, C counter, const B& by = 1) {
  detail::store<far_value<P>>(to.bits(), detail::fit_argument<2, far_value<P>>(value),
                              detail::before_signal(to.bits(), counter.bits()), "put_signal");
  signal(counter, detail::fit_argument<4, far_value<C>>(by));
}
template <far_counter C, value_for<C> B = far_value<C>>
void bulk_put_signal(global_ptr<void> to, const void* from, std::size_t bytes, C counter,
                     const B& by = 1) {
  detail::copy_out(to.bits(), from, bytes, detail::before_signal(to.bits(), counter.bits()),
                   "bulk_put_signal");
  signal(counter, detail::fit_argument<5, far_value<C>>(by));
}
// Waits until this rank's counter is at least the given value; it stays as it is. Handlers run
// meanwhile. Main thread, not in a handler. peer_failed if a rank is dead and the counter is below
// that.
template <far_counter C, value_for<C> B = far_value<C>>
status wait_signal(C counter, const B& given) {
  const far_value<C> enough = detail::fit_argument<2, far_value<C>>(given);
  RAMJET_CHECK(counter.rank() == rank(), "wait_signal: the counter is another rank's");
  if (read(counter) >= enough) return status::ok;
  if (detail::current_engine->failures() != 0) return status::peer_failed;
  return wait_until([&] { return read(counter) >= enough; }, "wait_signal");
}

// --- Long messages by global pointer ------------------------------------------------------------

// request_long, try_request_long and reply_long of am.hpp, with a global or spread pointer as the
// destination. It points to memory of the rank that the message goes to; else it is a bad address.
template <auto F, class... A>
status request_long(address to, global_ptr<void> destination, const void* data, std::size_t count,
                    const A&... a) {
  return request_long<F>(to, detail::long_destination(to, destination), data, count, a...);
}
template <auto F, class... A>
[[nodiscard]] status try_request_long(address to, global_ptr<void> destination, const void* data,
                                      std::size_t count, const A&... a) {
  return try_request_long<F>(to, detail::long_destination(to, destination), data, count, a...);
}
template <auto F, class... A>
void reply_long(request_token&& t, global_ptr<void> destination, const void* data,
                std::size_t count, const A&... a) {
  std::byte* const there = detail::long_destination(t.source(), destination);
  reply_long<F>(std::move(t), there, data, count, a...);
}

// Puts the bytes, then runs the handler F(token, args..., deposit) of a long message there: the
// bytes are in place before it runs. As request_long, by global pointer: it polls while the way
// there is full, so not in a handler.
template <auto F, class... A>
status bulk_put_request(global_ptr<void> to, const void* from, std::size_t bytes, const A&... a) {
  std::byte* const there = detail::segment_address(to.bits(), bytes, "bulk_put_request");
  return request_long<F>(to.rank(), there, from, bytes, a...);
}

}  // namespace ramjet

#pragma GCC visibility pop
