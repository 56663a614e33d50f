// SPDX-License-Identifier: Apache-2.0
// Barriers, whole and in two halves. Every barrier is a notify, which begins it, and a wait; what
// is to be sent in between is sent by the handler of what arrives, so a barrier moves on wherever
// its rank polls. Three ways, and a team always goes the same one:
//   dissemination  a core for each rank. Round k: tell member rank + 2^k, hear from rank - 2^k.
//   hub            ranks outnumber the cores. Member 0 hears of all, and tells all.
//   counter        the same, all ranks of the job and on one machine: see counter.hpp.
#include <bit>

#include "am/collectives/counter.hpp"
#include "am/runtime.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"

namespace ramjet {

namespace {

using detail::barrier_state;
using detail::collective_state;
using detail::engine;
using detail::in_collective;
using detail::meeting;
using detail::team_state;
using detail::waiting;

enum class way { dissemination, hub, counter };
enum hub_round : std::uint32_t { kArrival = 0, kRelease = 1 };

way way_of(const team_state& t) {
  if (!job::self().crowded) return way::dissemination;
  return detail::meets_at_counter(t) ? way::counter : way::hub;
}

void on_notify(std::uint32_t team, std::uint32_t round);

// Legal in handlers. A dead member is noticed by whoever waits.
void tell(engine& e, const team_state& t, int member, std::uint32_t round) {
  ++e.parts().collectives.own_sent;
  const address to{t.members[std::size_t(member)], e.endpoint()};
  static_cast<void>(chain<on_notify>(to, t.id, round));
}

// --- Dissemination ------------------------------------------------------------------------------

unsigned rounds_of(const team_state& t) { return unsigned(std::bit_width(unsigned(t.size() - 1))); }

int heard_from(const team_state& t) {
  return (t.rank - (1 << t.barrier.round) + t.size()) % t.size();
}
void tell_round(engine& e, const team_state& t) {
  if (t.barrier.round < rounds_of(t))
    tell(e, t, (t.rank + (1 << t.barrier.round)) % t.size(), t.barrier.round);
}
void advance_dissemination(engine& e, team_state& t) {
  barrier_state& b = t.barrier;
  while (b.round < rounds_of(t) && b.heard[b.round] >= b.entered) {
    ++b.round;
    tell_round(e, t);
  }
  b.complete = b.round == rounds_of(t);
}

// --- Hub ----------------------------------------------------------------------------------------

void advance_hub(engine& e, team_state& t) {
  barrier_state& b = t.barrier;
  if (t.rank != 0) {
    b.complete = b.heard[kRelease] >= b.entered;
  } else if (b.heard[kArrival] >= b.entered * unsigned(t.size() - 1)) {
    for (int r = 1; r < t.size(); ++r) tell(e, t, r, kRelease);
    b.complete = true;
  }
}

// --- All three ----------------------------------------------------------------------------------

void advance(engine& e, team_state& t) {
  barrier_state& b = t.barrier;
  if (b.complete) return;
  switch (way_of(t)) {
    case way::dissemination:
      return advance_dissemination(e, t);
    case way::hub:
      return advance_hub(e, t);
    case way::counter:
      b.complete = detail::everyone_came(e, meeting::barrier, b.generation);
  }
}

void on_notify(std::uint32_t team, std::uint32_t round) {
  engine& e = *detail::current_engine;
  collective_state& c = e.parts().collectives;
  RAMJET_CHECK(round < barrier_state::kRoundsMax, "a barrier message of no known round");
  ++c.own_handled;
  team_state& t = team == collective_state::kWorld ? *c.world_state : *c.team_of(team);
  ++t.barrier.heard[round];
  if (t.barrier.notified) advance(e, t);
}

void notify(engine& e, team_state& t) {
  barrier_state& b = t.barrier;
  RAMJET_CHECK(!b.notified, "a barrier of this team is under way: barrier_wait comes first");
  b.notified = true;
  b.complete = false;
  b.round = 0;
  ++b.entered;
  switch (way_of(t)) {
    case way::dissemination:
      tell_round(e, t);
      break;
    case way::hub:
      if (t.rank != 0) tell(e, t, 0, kArrival);
      break;
    case way::counter:
      b.generation = detail::arrive(e, meeting::barrier);
      break;
  }
  advance(e, t);
}

// Whose message the barrier waits for, as a rank of the job; -1: several.
int awaited(const team_state& t) {
  switch (way_of(t)) {
    case way::dissemination:
      return t.members[std::size_t(heard_from(t))];
    case way::hub:
      return t.rank == 0 ? -1 : t.members[0];
    case way::counter:
      break;
  }
  return -1;
}

status wait_for_all(engine& e, team_state& t) {
  barrier_state& b = t.barrier;
  RAMJET_CHECK(b.notified, "barrier_wait or barrier_try without barrier_notify");
  const bool look = way_of(t) == way::counter;  // elsewhere a message moves the barrier on
  while (!b.complete) {
    const unsigned round = b.round;
    waiting w = detail::wait_in_collective(e, awaited(t));
    const status s = e.wait(w, [&] {
      if (look) advance(e, t);
      return b.complete || b.round != round;
    });
    if (s != status::ok) return s;
  }
  b.notified = false;
  return status::ok;
}

}  // namespace

status barrier(const team& among) {
  engine& e = detail::collective_engine();
  const in_collective called(e, "barrier");
  if (e.failures() != 0) return status::peer_failed;
  team_state& t = detail::members_of(e, among);
  notify(e, t);
  return wait_for_all(e, t);
}

status detail::barrier_of(const char* name) {
  const in_collective called(collective_engine(), name);
  return barrier();
}

status barrier_notify(const team& among) {
  engine& e = detail::collective_engine();
  if (e.failures() != 0) return status::peer_failed;
  notify(e, detail::members_of(e, among));
  return status::ok;
}

status barrier_wait(const team& among) {
  engine& e = detail::collective_engine();
  const in_collective called(e, "barrier_wait");
  if (e.failures() != 0) return status::peer_failed;
  return wait_for_all(e, detail::members_of(e, among));
}

status barrier_try(const team& among) {
  engine& e = detail::collective_engine();
  if (e.failures() == 0) e.poll_and_yield();
  if (e.failures() != 0) return status::peer_failed;
  team_state& t = detail::members_of(e, among);
  RAMJET_CHECK(t.barrier.notified, "barrier_wait or barrier_try without barrier_notify");
  advance(e, t);
  if (!t.barrier.complete) return status::retry;
  t.barrier.notified = false;
  return status::ok;
}

}  // namespace ramjet
