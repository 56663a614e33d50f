// SPDX-License-Identifier: Apache-2.0
// Waits for atomic procedures, and waking a rank so that it checks its memory.
#include "ramjet/completion.hpp"

#include "am/runtime.hpp"
#include "gas/under_way.hpp"
#include "gas/wake.hpp"
#include "job/join.hpp"
#include "node/wake.hpp"
#include "ramjet/detail/gas/far_wait.hpp"
#include "ramjet/procedure.hpp"

namespace ramjet::detail {

status leave_to_sync(engine& e, call_state* s) {
  const status known = s->is.done ? s->outcome : status::ok;
  at_end_of(*s, [of = operation_begins(e)](call_state& ended) {
    operation_ends(of, ended.outcome);
  });
  release_call(e, s);
  return known;
}

// The deaths of ranks that were to run none of them do not end the wait.
status await_procedures() noexcept {
  engine& e = *current_engine;
  RAMJET_CHECK(!e.in_handler(), "a handler may not wait for atomic procedures");
  waiting w{.name = "sync", .any_death = false, .messages_only = true};
  own_operations* const own = find_own_operations();
  if (!have_ended(own)) {  // what has failed is told in a thread that has closed its endpoint, too
    if (const status s = e.wait(w, [own] { return have_ended(own); }); s != status::ok) return s;
  }
  return take_failure(own) ? status::peer_failed : status::ok;
}

bool poll_for_procedures() noexcept {
  engine& e = *current_engine;
  const own_operations* const own = find_own_operations();
  if (have_ended(own)) return true;
  if (!e.in_handler()) e.poll_and_yield();
  return have_ended(own);
}

namespace {
constinit thread_local std::uint64_t wakes = 0;
void on_wake() { ++wakes; }
}  // namespace

std::uint64_t wakes_here() noexcept { return wakes; }

void wake_port_by_message(std::uint64_t port) noexcept {
  const std::uint64_t each = job::self().layout.endpoints;
  const address to(int(port / each), unsigned(port % each));
  // Chained, since a wait's condition may be what calls this. Where there is no room it leaves with
  // a later poll; a port with so much to take is awake. The dead need no waking.
  static_cast<void>(chain<on_wake>(to));
}

void wake_port(std::uint64_t port) noexcept {
  const job::membership& m = job::self();
  const std::uint64_t rank = port / m.layout.endpoints;
  if (!live_space.is_near(rank)) return wake_port_by_message(port);
  node::wake(node::port(port));
}

void wake_rank(std::uint64_t rank) noexcept { wake_port(rank * job::self().layout.endpoints); }

}  // namespace ramjet::detail
