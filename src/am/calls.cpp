// SPDX-License-Identifier: Apache-2.0
// Calls in flight: what few of them need (call_state.hpp has the rest).
#include <algorithm>
#include <cstring>
#include <utility>

#include "am/engine_cold.hpp"
#include "am/runtime.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"

namespace ramjet::detail {

void call_pool::add() {
  RAMJET_CHECK(call_index_of(count) == count,
               "more calls are under way than there are numbers for");
  if (count == capacity) {
    capacity = std::max(2 * capacity, 64u);
    auto** more = new call_state*[capacity];
    std::copy_n(states, count, more);
    delete[] states;
    states = more;
  }
  auto* const s = new call_state;
  s->id = count;
  s->next = free;
  states[count++] = free = s;
}

// Futures may outlive the endpoint: what they refer to is theirs from now on, and has failed if it
// has not ended. The abandoned ones have no `then` left: fail_awaited_calls came before.
void call_pool::clear() noexcept {
  for (std::uint32_t i = 0; i < count; ++i) {
    call_state* const s = states[i];
    if (s->target < 0 || s->is.abandoned) {
      delete s;
      continue;
    }
    s->is.orphan = true;
    if (std::exchange(s->is.done, true)) continue;
    s->outcome = status::peer_failed;
    if (s->waits != nullptr) ult::detail::ready(std::exchange(s->waits, nullptr));
  }
  delete[] std::exchange(states, nullptr);
  free = nullptr;
  count = capacity = 0;
}

// A future waits at the endpoint that made the call.
[[noreturn]] static void not_the_caller() {
  if (current_engine->ranks() == 0) no_endpoint("the wait for a future");
  RAMJET_CHECK(
      false,
      "a future is waited for in the thread of its endpoint, while no other one is open there");
  __builtin_unreachable();
}

call_state* start_call_slow(engine& e, int target) {
  if (e.ranks() == 0) no_endpoint("call");
  e.calls().add();
  return start_call(e, target);
}

// Before the call has ended, with something to run then, or of an endpoint that has gone.
void release_call_slow(engine& e, call_state* s) {
  if (s->is.orphan) {
    delete s;
    return;
  }
  if (s->is.done) {
    s->then = nullptr;
    return recycle_call(e.calls(), *s);
  }
  RAMJET_CHECK(s->waits == nullptr, "a future goes away while a thread waits for it");
  s->is.abandoned = true;
  if (s->is.continued) ++e.calls().awaited;
}

void refuse_answer(engine& e, int from) noexcept {
  RAMJET_CHECK(is_dead(e, unsigned(from)) || job::has_left(unsigned(from)),
               "a reply belongs to no call of this rank");
}

void finish_call(engine& e, call_state& s, status outcome) noexcept {
  if (s.is.done) return;
  s.is.done = true;
  s.outcome = outcome;
  if (s.waits != nullptr) ult::detail::ready(std::exchange(s.waits, nullptr));
  if (s.is.continued) s.then(s);
  if (!s.is.abandoned) return;
  if (s.is.continued) {
    --e.calls().awaited;
    s.then = nullptr;
  }
  recycle_call(e.calls(), s);
}

// A wait in a condition's test is on the watcher's stack, where a step is always due.
ult::detail::item next_after_caller(ult::detail::worker* w) {
  RAMJET_CHECK(w->self != w->watcher, "a condition's test may not wait for a call");
  return ult::detail::next_slow(w);
}

static status wait_as_rank(engine& e, call_state& s) {
  waiting w{.name = "call", .target = s.target, .any_death = false, .messages_only = true};
  const status waited = e.wait(w, [&] { return s.is.done; });
  return s.is.done ? s.outcome : waited;
}

status wait_call_slow(engine& e, call_state& s) {
  if (s.is.done) return s.outcome;
  if (&e != current_engine) [[unlikely]]
    not_the_caller();
  if (!e.serves_threads()) return wait_as_rank(e, s);
  RAMJET_CHECK(s.waits == nullptr && s.is.bits() == 0, "a future is waited for by one thread");
  e.check_may_poll();
  block_for_call(s);
  return s.outcome;
}

// The rank's answers are taken no more.
static void forget_answers(engine& e, unsigned rank) noexcept {
  for (unsigned port = 0; port < e.ports_per_rank(); ++port) {
    peer& p = e.port_of(rank, port);
    p.calls = nullptr;
    p.calls_end = &p.calls;
  }
}

void fail_calls(engine& e, int rank) {
  forget_answers(e, unsigned(rank));
  for (std::uint32_t i = 0; i < e.calls().count; ++i) {  // a call's `then` may call again
    call_state& s = *e.calls().states[i];
    if (s.target == rank && !s.is.done) finish_call(e, s, status::peer_failed);
  }
}

void fail_awaited_calls(engine& e) {
  for (int rank = 0; rank < e.ranks(); ++rank) forget_answers(e, unsigned(rank));
  for (std::uint32_t i = 0; i < e.calls().count && e.calls().awaited != 0; ++i) {
    call_state& s = *e.calls().states[i];
    if (s.is.abandoned && !s.is.done && s.is.continued) finish_call(e, s, status::peer_failed);
  }
}

}  // namespace ramjet::detail
