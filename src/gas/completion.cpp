// SPDX-License-Identifier: Apache-2.0
// Waits for atomic procedures, and waking a rank so that it checks its memory.
#include "ramjet/completion.hpp"

#include <utility>

#include "am/runtime.hpp"
#include "gas/wake.hpp"
#include "job/join.hpp"
#include "node/wake.hpp"
#include "ramjet/detail/gas/far_wait.hpp"
#include "ramjet/procedure.hpp"

namespace ramjet::detail {

constinit thread_local procedure_counts procedures;

void end_procedure(status s) noexcept {
  ++procedures.ended;
  if (s != status::ok) procedures.failed = true;
}

// The deaths of ranks that were to run none of them do not end the wait.
status await_procedures() noexcept {
  engine& e = *current_engine;
  RAMJET_CHECK(!e.in_handler(), "a handler may not wait for atomic procedures");
  waiting w{.name = "sync", .any_death = false, .messages_only = true};
  const auto all_ended = [] { return procedures.begun == procedures.ended; };
  if (!all_ended()) {  // what has failed is told in a thread that has closed its endpoint, too
    if (const status s = e.wait(w, all_ended); s != status::ok) return s;
  }
  return std::exchange(procedures.failed, false) ? status::peer_failed : status::ok;
}

bool poll_for_procedures() noexcept {
  engine& e = *current_engine;
  if (!e.in_handler()) e.poll_and_yield();
  return procedures.begun == procedures.ended;
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
