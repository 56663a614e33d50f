// SPDX-License-Identifier: Apache-2.0
// Calls in flight: a pool of states named by number, so that a reply can be checked before it is
// believed.
#include "am/engine_parts.hpp"
#include "am/runtime.hpp"
#include "ramjet/am.hpp"

namespace ramjet::detail {

namespace {

void recycle(call_pool& pool, call_state& s) {
  s.then = nullptr;
  s.target = -1;
  pool.free.push_back(s.id);
}

}  // namespace

call_state* start_call(engine& e, int target) {
  RAMJET_CHECK(e.ranks() != 0, "call outside a job: ramjet::init comes first");
  call_pool& pool = e.parts().calls;
  if (pool.free.empty()) {
    const auto id = std::uint32_t(pool.states.size());
    pool.states.push_back(std::make_unique<call_state>());
    pool.states.back()->id = id;
    pool.free.push_back(id);
  }
  call_state& s = *pool.states[pool.free.back()];
  pool.free.pop_back();
  s.target = target;
  s.done = s.abandoned = false;
  s.outcome = status::ok;
  return &s;
}

void release_call(engine& e, call_state* s) {
  if (s->done) return recycle(e.parts().calls, *s);
  s->abandoned = true;
}

call_state& find_call(engine& e, std::uint32_t id, int from) {
  call_pool& pool = e.parts().calls;
  RAMJET_CHECK(id < pool.states.size() && pool.states[id]->target == from,
               "a reply belongs to no call of this rank");
  return *pool.states[id];
}

void finish_call(engine& e, call_state& s, status outcome) {
  if (s.done) return;
  s.done = true;
  s.outcome = outcome;
  if (s.then) s.then(s);
  if (s.abandoned) recycle(e.parts().calls, s);
}

status wait_call(engine& e, call_state& s) {
  if (s.done) return s.outcome;
  waiting w{"call", s.target, false, true};
  const status waited = e.wait(w, [&] { return s.done; });
  return s.done ? s.outcome : waited;
}

void fail_calls(engine& e, int rank) {
  for (auto& s : e.parts().calls.states)
    if (s->target == rank && !s->done) finish_call(e, *s, status::peer_failed);
}

}  // namespace ramjet::detail
