// SPDX-License-Identifier: Apache-2.0
// Calls in flight: where a call's answer goes, and who waits for it. What each call does is inlined
// here; src/am/calls.cpp has the rest.
//
// An answer is matched to its call before it is accepted. That of a call stands in the record of
// its request, and records are answered in their order: the states of a peer's calls are a list in
// that order, each with its record's position, so that no number travels. What is answered by other
// ways, or in parts (far accesses, spawn_call), names its state by a number.
//
// A state belongs to its engine's thread. Equations between calls:
//   target < 0        if and only if it is free; then it is as start_call hands it out
//   waits != nullptr  only while nothing is set in `is`: only the waiter has to be told
//   a peer's list     not done; target is the peer's rank; answered < position <= tail, ascending
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "ramjet/detail/am/engine.hpp"
#include "ramjet/detail/base/callback.hpp"
#include "ramjet/ult/detail/worker.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

// How far a call is, in one word.
struct call_progress {
  bool done = false;
  bool abandoned = false;  // the future went away first
  bool orphan = false;  // the endpoint went away first: the future owns the state
  bool continued = false;  // `then` runs at the end

  RAMJET_INLINE void end() noexcept;
  RAMJET_INLINE std::uint32_t bits() const noexcept { return std::bit_cast<std::uint32_t>(*this); }
};
inline constexpr std::uint32_t kCallDone =
    std::bit_cast<std::uint32_t>(call_progress{.done = true});
// Of one that has nothing but an end to it: in one step.
RAMJET_INLINE void call_progress::end() noexcept {
  std::memcpy(this, &kCallDone, sizeof kCallDone);
}

// One call in flight. A future and the answer refer to it. What each call touches comes first.
struct alignas(kCacheLineBytes) call_state {
  static constexpr std::size_t kValueBytes = 64;

  std::uint32_t id = 0;
  int target = -1;  // the rank that was called
  call_progress is;
  status outcome = status::ok;
  ult::detail::control* waits = nullptr;  // the user-level thread that does
  call_state* next = nullptr;  // in call_pool::free, or in peer::calls
  std::uint64_t position = 0;  // where the request's record ends, of one in peer::calls; or:
  static constexpr std::uint64_t kNumbered = ~std::uint64_t{0};  // it is answered by its number
  alignas(16) std::byte value[kValueBytes];
  callback<call_state&> then;
  ult::detail::blocked_on why{.what = "call's result", .object = this};  // who waits, what for

  call_state() = default;
  call_state(const call_state&) = delete;
  call_state& operator=(const call_state&) = delete;
};

call_state* start_call_slow(engine& e, int target) __attribute__((returns_nonnull));
void release_call_slow(engine& e, call_state* s);
// Ends a call, once: what comes after that is dropped.
void finish_call(engine& e, call_state& s, status outcome) noexcept;
// A reply belongs to no call of the rank that sent it: ends the process, unless that rank has died
// or left, and its calls have failed already.
RAMJET_COLD void refuse_answer(engine& e, int from) noexcept;
status wait_call_slow(engine& e, call_state& s);
RAMJET_COLD ult::detail::item next_after_caller(ult::detail::worker* w);

// A number is the state's index and, above, how often it was used: an answer that comes after its
// call has ended is not taken for another's.
inline constexpr unsigned kCallIndexBits = 22;
constexpr std::uint32_t call_index_of(std::uint32_t id) noexcept {
  return id & ((1u << kCallIndexBits) - 1);
}

RAMJET_INLINE call_state* start_call(engine& e, int target) {
  call_pool& pool = e.calls();
  call_state* const s = pool.free;
  if (s == nullptr) [[unlikely]]
    return start_call_slow(e, target);
  pool.free = s->next;
  s->target = target;
  return s;
}

RAMJET_INLINE call_state* start_numbered_call(engine& e, int target) {
  call_state* const s = start_call(e, target);
  s->position = call_state::kNumbered;
  return s;
}

// Of one that has ended; `then` is empty.
RAMJET_INLINE void recycle_call(call_pool& pool, call_state& s) {
  s.id += 1u << kCallIndexBits;
  s.target = -1;
  s.is = {};
  s.outcome = status::ok;
  s.next = std::exchange(pool.free, &s);
}

RAMJET_INLINE void release_call(engine& e, call_state* s) {
  if (s->is.bits() != kCallDone) [[unlikely]]
    return release_call_slow(e, s);
  recycle_call(e.calls(), *s);
}

// The call of that number, if it is one to this rank that is answered by it; else nullptr.
RAMJET_INLINE call_state* look_up_call(engine& e, std::uint32_t id, int from) noexcept {
  const call_pool& pool = e.calls();
  if (call_index_of(id) >= pool.count) [[unlikely]]
    return nullptr;
  call_state* const s = pool.states[call_index_of(id)];
  const bool is_right = s->id == id && s->target == from && s->position == call_state::kNumbered;
  return is_right ? s : nullptr;
}

// What runs at the end of a call that is under way.
inline void continue_call(call_state& s, callback<call_state&> then) {
  RAMJET_CHECK(s.waits == nullptr, "a future is waited for by one thread");
  s.then = std::move(then);
  s.is.continued = true;
}

// The request has gone to the peer: its answer comes in the record that it stands in.
RAMJET_INLINE void await_answer(peer& p, call_state& s) noexcept {
  if (s.is.bits() != 0) [[unlikely]]  // the peer was found dead when it was rung
    return;
  s.position = p.tail;
  s.next = nullptr;
  *p.calls_end = &s;
  p.calls_end = &s.next;
}

// Hands the answer over. The thread that waits is ready then: it is pinned to this worker.
template <class Value>
RAMJET_INLINE void complete_call(engine& e, call_state& s, const Value& value) {
  static_assert(sizeof(Value) <= call_state::kValueBytes, "results are at most 64 bytes");
  ult::detail::control* const caller = s.waits;
  if (caller == nullptr) [[unlikely]] {
    if (s.is.done) return;
    std::memcpy(s.value, &value, sizeof value);
    return finish_call(e, s, status::ok);
  }
  std::memcpy(s.value, &value, sizeof value);
  s.waits = nullptr;
  s.is.end();
  ult::detail::push_ready(ult::detail::this_worker(), ult::detail::item_of(caller));
}

// The answer in the record up to p.answered.
template <class Value>
RAMJET_INLINE void answer_call(engine& e, peer& p, const Value& value) {
  call_state* const s = p.calls;
  if (s == nullptr || s->position != p.answered) [[unlikely]]
    return refuse_answer(e, int(p.rank));
  p.calls = s->next;
  if (p.calls == nullptr) p.calls_end = &p.calls;
  complete_call(e, *s, value);
}
template <class Value>
RAMJET_INLINE void answer_numbered_call(engine& e, std::uint32_t id, int from, const Value& value) {
  call_state* const s = look_up_call(e, id, from);
  if (s == nullptr) [[unlikely]]
    return refuse_answer(e, from);
  complete_call(e, *s, value);
}

// The thread goes on when the answer's handler says so: nothing is polled for it.
RAMJET_INLINE void block_for_call(call_state& s) {
  using namespace ult::detail;
  worker* const w = this_worker();
  control* const me = w->self;
  s.waits = me;
  me->waits = &s.why;
  ++me->pins;
  go_on(w, me, due(w) ? next_after_caller(w) : pop(w));
  --me->pins;
  me->waits = nullptr;
}

// Polls until the call has ended; how it went.
RAMJET_INLINE status wait_call(engine& e, call_state& s) {
  const std::uint32_t is = s.is.bits();
  if (is != 0 || !e.lets_threads_wait() || &e != current_engine || s.waits != nullptr) [[unlikely]]
    return is == kCallDone ? s.outcome : wait_call_slow(e, s);
  block_for_call(s);
  return s.outcome;
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
