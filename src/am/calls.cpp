// SPDX-License-Identifier: Apache-2.0
// Calls in flight: a pool of states named by number, so that a reply can be checked before it is
// believed.
#include "am/engine_parts.hpp"
#include "am/runtime.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"
#include "ramjet/ult/detail/worker.hpp"

namespace ramjet::detail {

namespace {

// A number is the state's index and, above, how often it was used: an answer that comes after its
// call has ended is not taken for another's.
constexpr unsigned kIndexBits = 22;
constexpr std::uint32_t index_of(std::uint32_t id) { return id & ((1u << kIndexBits) - 1); }

RAMJET_INLINE void recycle(call_pool& pool, call_state& s) {
  s.target = -1;
  s.next_free = std::exchange(pool.free, &s);
  s.id += 1u << kIndexBits;
}

void add_state(call_pool& pool) {
  const auto id = std::uint32_t(pool.states.size());
  RAMJET_CHECK(index_of(id) == id, "more calls are under way than there are numbers for");
  pool.states.push_back(std::make_unique<call_state>());
  pool.states.back()->id = id;
  pool.free = pool.states.back().get();
}

}  // namespace

// A future waits at the endpoint that made the call.
[[noreturn]] static void not_the_caller() {
  if (current_engine->ranks() == 0) no_endpoint("the wait for a future");
  RAMJET_CHECK(
      false,
      "a future is waited for in the thread of its endpoint, while no other one is open there");
  __builtin_unreachable();
}

static RAMJET_COLD call_state* start_call_slow(engine& e, int target) {
  if (e.ranks() == 0) no_endpoint("call");
  add_state(e.parts().calls);
  return start_call(e, target);
}

call_state* start_call(engine& e, int target) {
  if (e.ranks() == 0 || e.parts().calls.free == nullptr) [[unlikely]]
    return start_call_slow(e, target);
  call_pool& pool = e.parts().calls;
  call_state& s = *pool.free;
  pool.free = s.next_free;
  s.target = target;
  s.done = s.abandoned = false;
  s.outcome = status::ok;
  return &s;
}

// Of an endpoint that has gone, before the call has ended, or with something to run then.
static __attribute__((noinline)) void release_call_slow(engine& e, call_state* s) {
  if (s->orphan) {
    delete s;
    return;
  }
  call_pool& pool = e.parts().calls;
  if (s->done) {
    s->then = nullptr;
    return recycle(pool, *s);
  }
  s->abandoned = true;
  if (s->then) ++pool.awaited;
}

void release_call(engine& e, call_state* s) {
  if (s->orphan || !s->done || s->then) [[unlikely]]
    return release_call_slow(e, s);
  recycle(e.parts().calls, *s);
}

call_state* look_up_call(engine& e, std::uint32_t id, int from) noexcept {
  const call_pool& pool = e.parts().calls;
  if (index_of(id) >= pool.states.size()) return nullptr;
  call_state* s = pool.states[index_of(id)].get();
  return s->id == id && s->target == from ? s : nullptr;
}

call_state* find_call(engine& e, std::uint32_t id, int from) {
  call_state* s = look_up_call(e, id, from);
  RAMJET_CHECK(s != nullptr || is_dead(e, unsigned(from)) || job::has_left(unsigned(from)),
               "a reply belongs to no call of this rank");
  return s;
}

// Of one that is more than waited for.
static __attribute__((noinline)) void finish_call_slow(engine& e, call_state& s) {
  if (s.waits != nullptr) ult::detail::ready(std::exchange(s.waits, nullptr));
  if (s.then) s.then(s);
  if (!s.abandoned) return;
  call_pool& pool = e.parts().calls;
  if (s.then) {
    --pool.awaited;
    s.then = nullptr;
  }
  recycle(pool, s);
}

void finish_call(engine& e, call_state& s, status outcome) {
  if (s.done) return;
  s.done = true;
  s.outcome = outcome;
  if (s.then || s.abandoned) return finish_call_slow(e, s);
  if (s.waits != nullptr) ult::detail::ready(std::exchange(s.waits, nullptr));
}

// The thread goes on when the reply's handler says so: nothing is polled for it.
static __attribute__((noinline)) status wait_as_thread(engine& e, call_state& s) {
  using namespace ult::detail;
  RAMJET_CHECK(s.waits == nullptr, "a future is waited for by one thread");
  e.check_may_poll();
  const blocked_on why{.what = "call's result", .object = &s};
  worker* by = this_worker();
  control* me = by->self;
  RAMJET_CHECK(by->open && me != by->watcher, "a condition's test may not wait for a call");
  s.waits = me;
  ++me->pins;
  suspend(by, why);
  --me->pins;
  return s.outcome;
}

static __attribute__((noinline)) status wait_as_rank(engine& e, call_state& s) {
  waiting w{.name = "call", .target = s.target, .any_death = false, .messages_only = true};
  const status waited = e.wait(w, [&] { return s.done; });
  return s.done ? s.outcome : waited;
}

status wait_call(engine& e, call_state& s) {
  if (s.done) return s.outcome;
  if (s.orphan) [[unlikely]]
    return status::peer_failed;
  if (&e != current_engine) [[unlikely]]
    not_the_caller();
  return e.serves_threads() ? wait_as_thread(e, s) : wait_as_rank(e, s);
}

void fail_calls(engine& e, int rank) {
  call_pool& pool = e.parts().calls;
  for (std::size_t i = 0; i < pool.states.size(); ++i) {  // a call's `then` may call again
    call_state& s = *pool.states[i];
    if (s.target == rank && !s.done) finish_call(e, s, status::peer_failed);
  }
}

void fail_awaited_calls(engine& e) {
  call_pool& pool = e.parts().calls;
  for (std::size_t i = 0; i < pool.states.size() && pool.awaited != 0; ++i) {
    call_state& s = *pool.states[i];
    if (s.abandoned && !s.done && s.then) finish_call(e, s, status::peer_failed);
  }
}

// Futures may outlive the endpoint: what they refer to is theirs from now on. The abandoned ones
// have no `then` left: fail_awaited_calls came before.
call_pool::~call_pool() {
  for (std::unique_ptr<call_state>& s : states) {
    if (s->target < 0 || s->abandoned) continue;
    s->orphan = true;
    [[maybe_unused]] const call_state* kept = s.release();
  }
}

}  // namespace ramjet::detail
