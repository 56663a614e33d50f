// SPDX-License-Identifier: Apache-2.0
// Barriers, whole and in two halves. Every barrier is a notify, which begins it, and a wait; what
// is to be sent in between is sent by the handler of what arrives, so a barrier moves on wherever
// its rank polls. Three ways, and a team always goes the same one:
//   dissemination  a core for each rank. Round k: a message to rank + 2^k, one from rank - 2^k.
//   hub            ranks outnumber the cores. All send to member 0, which then sends to all.
//   counter        the same, all ranks of the job and on one machine: see counter.hpp.
#include <bit>

#include "am/collectives/counter.hpp"
#include "am/runtime.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"

namespace ramjet {

namespace {

using detail::barrier_state;
using detail::call_tag;
using detail::collective_kind;
using detail::collective_state;
using detail::engine;
using detail::in_collective;
using detail::meeting;
using detail::team_state;

enum class way { dissemination, hub, counter };
enum hub_round : std::uint32_t { kArrival = 0, kRelease = 1 };
// Of barrier_try without success, before calls are compared.
constexpr unsigned kTriesOverdue = 1u << 16;

way way_of(const team_state& t) {
  if (!job::self().crowded) return way::dissemination;
  return detail::meets_at_counter(t) ? way::counter : way::hub;
}

void on_notify(request_token from, std::uint32_t team, call_tag tag);

// Legal in handlers. A dead member is noticed by those that wait. The round stands in the tag.
void send_notify(engine& e, const team_state& t, int member, std::uint32_t round) {
  detail::note_send(e);
  const address to{t.members[std::size_t(member)], e.endpoint()};
  const call_tag own = t.barrier.tag;
  static_cast<void>(chain<on_notify>(
      to, t.id, detail::make_tag(detail::number_of(own), detail::kind_of(own), round)));
}

// --- Dissemination ------------------------------------------------------------------------------

unsigned rounds_of(const team_state& t) { return unsigned(std::bit_width(unsigned(t.size() - 1))); }

int sender_of_round(const team_state& t) {
  return (t.rank - (1 << t.barrier.round) + t.size()) % t.size();
}
void send_round(engine& e, const team_state& t) {
  if (t.barrier.round < rounds_of(t))
    send_notify(e, t, (t.rank + (1 << t.barrier.round)) % t.size(), t.barrier.round);
}
void advance_dissemination(engine& e, team_state& t) {
  barrier_state& b = t.barrier;
  while (b.round < rounds_of(t) && b.received[b.round] >= b.entered) {
    ++b.round;
    send_round(e, t);
  }
  b.complete = b.round == rounds_of(t);
}

// --- Hub ----------------------------------------------------------------------------------------

void advance_hub(engine& e, team_state& t) {
  barrier_state& b = t.barrier;
  if (t.rank != 0) {
    b.complete = b.received[kRelease] >= b.entered;
  } else if (b.received[kArrival] >= b.entered * unsigned(t.size() - 1)) {
    for (int r = 1; r < t.size(); ++r) send_notify(e, t, r, kRelease);
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

void on_notify(request_token from, std::uint32_t team, call_tag tag) {
  engine& e = *detail::current_engine;
  collective_state& c = e.parts().collectives;
  const unsigned round = detail::root_of(tag);
  RAMJET_CHECK(round < barrier_state::kRoundsMax, "a barrier message of no known round");
  ++c.own_handled;
  team_state& t = team == collective_state::kWorld ? *c.world_state : *c.team_of(team);
  detail::check_call(e, t, detail::make_tag(detail::number_of(tag), detail::kind_of(tag), 0),
                     from.rank());
  ++t.barrier.received[round];
  if (t.barrier.notified) advance(e, t);
}

void notify(engine& e, team_state& t, collective_kind kind = collective_kind::barrier) {
  barrier_state& b = t.barrier;
  RAMJET_CHECK(!b.notified, "a barrier of this team is under way: barrier_wait comes first");
  b.tag = detail::begin_call(e, t, kind, 0, detail::kAnyLength);
  b.failed_tries = 0;
  b.notified = true;
  b.complete = false;
  b.round = 0;
  ++b.entered;
  switch (way_of(t)) {
    case way::dissemination:
      send_round(e, t);
      break;
    case way::hub:
      if (t.rank != 0) send_notify(e, t, 0, kArrival);
      break;
    case way::counter:
      b.generation = detail::arrive(e, meeting::barrier);
      break;
  }
  advance(e, t);
}

// The member whose message the barrier waits for; -1: several.
int awaited(const team_state& t) {
  switch (way_of(t)) {
    case way::dissemination:
      return sender_of_round(t);
    case way::hub:
      return t.rank == 0 ? -1 : 0;
    case way::counter:
      break;
  }
  return -1;
}

status wait_for_all(engine& e, team_state& t) {
  barrier_state& b = t.barrier;
  RAMJET_CHECK(b.notified, "barrier_wait or barrier_try without barrier_notify");
  const bool at_counter = way_of(t) == way::counter;  // elsewhere a message moves the barrier on
  while (!b.complete) {
    const unsigned round = b.round;
    detail::call_wait w = detail::wait_in_call(e, t, b.tag, awaited(t));
    const status s = e.wait(w, [&] {
      if (at_counter) advance(e, t);
      return b.complete || b.round != round;
    });
    if (s != status::ok) return s;
  }
  b.notified = false;
  return status::ok;
}

}  // namespace

bool detail::is_of_barrier(unsigned index) noexcept { return index == handler<on_notify>::index(); }

status detail::barrier_as(collective_kind kind, const team& among) {
  engine& e = collective_engine();
  const in_collective called(e, "barrier");
  if (e.failures() != 0) return status::peer_failed;
  team_state& t = members_of(e, among);
  notify(e, t, kind);
  return wait_for_all(e, t);
}

status barrier(const team& among) { return detail::barrier_as(collective_kind::barrier, among); }

status detail::barrier_of(const char* name) {
  const in_collective called(collective_engine(), name);
  return barrier();
}

status barrier_notify(const team& among) {
  engine& e = detail::collective_engine();
  if (e.failures() != 0) return status::peer_failed;
  notify(e, detail::members_of(e, among));
  detail::flush_unpolled(e);
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
  if (!t.barrier.complete) {
    if (std::has_single_bit(++t.barrier.failed_tries) && t.barrier.failed_tries >= kTriesOverdue)
      detail::compare_calls(e, t, t.barrier.tag, awaited(t));
    return status::retry;
  }
  t.barrier.notified = false;
  return status::ok;
}

}  // namespace ramjet
