// SPDX-License-Identifier: Apache-2.0
// Quiescence: nothing is in flight anywhere; and how ranks leave together.
#include "am/collectives/operation.hpp"
#include "am/runtime.hpp"

namespace ramjet {

namespace {

using detail::engine;

struct traffic {
  std::uint64_t sent, handled;
  friend bool operator==(const traffic&, const traffic&) = default;
};

traffic count_traffic(engine& e) {
  traffic t{0, 0};
  for (int r = 0; r < e.ranks(); ++r) {  // other indices quiesce by themselves
    const detail::pair_counters& c = *e.find(r, e.endpoint())->count;
    t.sent += c.requests_sent.load(std::memory_order_relaxed) +
              c.replies_sent.load(std::memory_order_relaxed) +
              c.chained.load(std::memory_order_relaxed);
    t.handled += c.requests_handled.load(std::memory_order_relaxed) +
                 c.replies_handled.load(std::memory_order_relaxed);
  }
  t.handled -= e.parts().spawned;  // a message is handled once its thread has ended
  const detail::collective_state& c = e.parts().collectives;
  return {t.sent - c.own_sent, t.handled - c.own_handled};
}

}  // namespace

// Nothing is in flight once two sums in a row, taken one after the other, both say that as much was
// handled as was sent, and the same: the four-counter argument. A chained message counts as sent
// when it is queued.
status quiesce() {
  engine& e = detail::collective_engine();
  const detail::in_collective called(e, "quiesce");
  traffic before{~std::uint64_t{0}, 0};
  for (;;) {
    while (e.poll_and_give_way() != 0) {
    }
    traffic now = count_traffic(e);
    const auto add = [](traffic a, traffic b) {
      return traffic{a.sent + b.sent, a.handled + b.handled};
    };
    if (status s = all_reduce(now, add); s != status::ok) return s;
    if (now.sent == now.handled && now == before) return status::ok;
    before = now;
  }
}

// The last collective of a rank. Ends early if somebody died: nobody is left to wait for.
void detail::leave_together() {
  engine& e = collective_engine();
  const in_collective called(e, "finalize");
  if (quiesce() == status::ok) static_cast<void>(barrier());
}

}  // namespace ramjet
