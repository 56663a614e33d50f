// SPDX-License-Identifier: Apache-2.0
// Quiescence: nothing is in flight anywhere; and how ranks leave together.
#include "am/collectives/operation.hpp"
#include "am/coproc.hpp"
#include "am/runtime.hpp"

namespace ramjet {

namespace {

using detail::engine;
using detail::traffic;

// Other indices quiesce by themselves; co-processors do so with endpoints 0.
traffic count_traffic(engine& e) {
  traffic t = detail::count_traffic(e, e.endpoint());
  t.handled -= e.parts().spawned;  // a message is handled once its thread has ended
  const detail::collective_state& c = e.parts().collectives;
  t.sent -= c.own_sent;
  t.handled -= c.own_handled;
  if (e.coprocessor() == 0 || e.endpoint() != 0) return t;
  return t + detail::count_traffic(e, e.coprocessor()) + detail::own_coprocessor()->count();
}

}  // namespace

// Nothing is in flight once two sums in a row, taken one after the other, both say that as much was
// handled as was sent, and the same: the four-counter argument. A chained message counts as sent
// when it is queued.
status detail::quiesce_as(collective_kind kind) {
  engine& e = collective_engine();
  const in_collective called(e, "quiesce");
  traffic before{~std::uint64_t{0}, 0};
  for (;;) {
    while (e.poll_and_yield() != 0) {
    }
    traffic now = ramjet::count_traffic(e);
    auto add = [](traffic a, traffic b) { return a + b; };
    const status s = all_reduce_as(kind, team::world(), view_of(now), combining<traffic>(add));
    if (s != status::ok) return s;
    if (now.sent == now.handled && now == before) return status::ok;
    before = now;
  }
}

status quiesce() { return detail::quiesce_as(detail::collective_kind::quiesce); }

// The last collective of a rank. Ends early if somebody died: nobody is left to wait for.
void detail::leave_together() {
  engine& e = collective_engine();
  const in_collective called(e, "finalize");
  if (quiesce_as(collective_kind::finalize) == status::ok)
    static_cast<void>(barrier_as(collective_kind::finalize, team::world()));
}

}  // namespace ramjet
