// SPDX-License-Identifier: Apache-2.0
#include "am/collectives/ahead.hpp"

#include <algorithm>

#include "am/collectives/operation.hpp"
#include "am/runtime.hpp"
#include "ramjet/am.hpp"

namespace ramjet::detail {

namespace {

// Not progress by themselves: they are counted once more, as checks.
void note_request(engine& e, int to) {
  note_send(e);
  bump(counters_with(e, to).checks_sent);
}
// Whether it counts: after a death nobody waits for it.
bool note_arrival(engine& e, int from) {
  ++e.parts().collectives.own_handled;
  bump(counters_with(e, from).checks_received);
  return e.failures() == 0;
}

// How far this member is, is wanted by another.
void on_taken_wanted(request_token from, std::uint32_t team, std::uint32_t member) {
  engine& e = *current_engine;
  if (!note_arrival(e, from.rank())) return;
  team_state& t = e.parts().collectives.any_team(team);
  source& s = source_of(t, member, from.rank());
  RAMJET_CHECK(s.told_after == 0, "a member asks twice whether its messages have been taken");
  s.told_after = std::uint32_t(s.kept());
  if (s.told_after != 0) return;
  RAMJET_CHECK(!t.members.empty(), "a member asks about messages that have not come");
  report_taken(e, t, int(member));
}

void on_taken(request_token from, std::uint32_t team, std::uint32_t member) {
  engine& e = *current_engine;
  if (!note_arrival(e, from.rank())) return;
  team_state* const t = e.parts().collectives.find_team(team);
  if (t == nullptr) return;  // given up: its last call is over
  RAMJET_CHECK(
      member < t->targets.size() && t->members[member] == from.rank() && t->targets[member].asked,
      "a member tells what it was not asked");
  t->targets[member].asked = false;
}

// Also ends where the member has closed its endpoint: what is sent then says so.
status await_taken(const operation& o, int to) {
  const target& there = o.state().targets[std::size_t(to)];
  engine& e = o.by();
  const peer& p = *e.find(o.state().members[std::size_t(to)], e.endpoint());
  call_wait w = o.wait_for(to);
  return e.wait(w, [&] { return !there.asked || e.has_closed(p); });
}

}  // namespace

bool is_credit_message(unsigned index) noexcept {
  return index == handler<on_taken_wanted>::index() || index == handler<on_taken>::index();
}

status begin_half(const operation& o, int to, std::size_t cost) {
  target& there = o.state().targets[std::size_t(to)];
  const std::uint32_t half = half_bytes(o.size());
  if (there.room != half) {  // else the message is longer than a half
    if (there.asked)
      if (const status s = await_taken(o, to); s != status::ok) return s;
    there.asked = true;
    there.room = half;
    const int rank = o.state().members[std::size_t(to)];
    note_request(o.by(), rank);
    const status s =
        request<on_taken_wanted>({rank, o.by().endpoint()}, o.state().id, std::uint32_t(o.rank()));
    if (s != status::ok) return s;
  }
  there.room -= std::uint32_t(std::min<std::size_t>(cost, half));
  return status::ok;
}

void report_taken(engine& e, team_state& t, int member) {
  const int rank = t.members[std::size_t(member)];
  note_request(e, rank);
  const closed_peers_allowed meanwhile(e.parts());  // it may have made its last call
  static_cast<void>(chain<on_taken>({rank, e.endpoint()}, t.id, std::uint32_t(t.rank)));
}

}  // namespace ramjet::detail
