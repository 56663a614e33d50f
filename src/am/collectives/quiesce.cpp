// SPDX-License-Identifier: Apache-2.0
// Quiescence: nothing is in flight anywhere; and how ranks leave together.
#include <algorithm>
#include <utility>

#include "am/collectives/choice.hpp"
#include "am/collectives/counter.hpp"
#include "am/coproc.hpp"
#include "am/hold.hpp"
#include "am/runtime.hpp"
#include "base/clock.hpp"
#include "lane/shared_lane.hpp"

namespace ramjet {

namespace {

using detail::collective_kind;
using detail::engine;
using detail::operation;
using detail::traffic;

// Without a co-processor's.
traffic count_own_traffic(engine& e) {
  traffic t = detail::count_traffic(e, e.endpoint());
  t.handled -= e.parts().spawned;  // a message is handled once its thread has ended
  const detail::collective_state& c = e.parts().collectives;
  t.sent -= c.own_sent;
  t.handled -= c.own_handled;
  return t;
}

// What other endpoints of this rank have sent to endpoints 0, and this one has handled of such, or
// the mesh's thread for it: where those are closed, only the leaving of all still waits for it.
traffic count_traffic_to_main(engine& e) {
  traffic t;
  const unsigned mine = unsigned(rank());
  for (unsigned k = 1; k < e.ports_per_rank(); ++k) {
    if (k == e.coprocessor()) continue;
    const detail::pair_counters* const from = lane::counters_of(e.port_of(mine, k).port);
    for (unsigned r = 0; r < unsigned(e.ranks()); ++r) {
      const detail::peer& other = e.port_of(r, k);
      const auto& apart = lane::served_by_second_thread(mine * e.ports_per_rank(), other.port);
      t = t + traffic{detail::sent_to(from[e.port_of(r, 0).port]),
                      detail::handled_from(*other.count) + apart.load(std::memory_order_relaxed)};
    }
  }
  return t;
}

// Everything that quiesce or finalize counts at this rank. Endpoints of other indices quiesce by
// themselves. Co-processors do so with endpoints 0.
traffic count_traffic(engine& e, collective_kind kind) {
  traffic t = count_own_traffic(e);
  if (e.coprocessor() != 0 && e.endpoint() == 0)
    t = t + detail::count_traffic(e, e.coprocessor()) + detail::own_coprocessor()->count();
  return kind == collective_kind::finalize ? t + count_traffic_to_main(e) : t;
}

// Finds out whether all ranks say yes. A rank that holds reads only the lanes by which it expects a
// message, so each member expects all of its messages before it sends the first one.
class agreement {
 public:
  agreement(const operation& o, bool yes) : o_(o), yes_(yes), heard_(std::size_t(o.size())) {}

  status find() {
    if (o_.size() == 1) return status::ok;
    if (o_.at_counter()) return at_counter();
    if (detail::few(o_)) return by_all();
    return o_.crowded() ? by_hub() : by_rounds();
  }
  // After find() has returned ok.
  bool yes() const { return yes_; }

 private:
  status at_counter() {
    auto both = [](bool a, bool b) { return a && b; };
    return detail::all_reduce_at_counter(o_, detail::view_of(yes_), detail::combining<bool>(both));
  }
  status by_all() {
    detail::each_other(o_, [this](int r) { return expect(r); });
    if (const status s = detail::send_to_all(o_, &yes_, sizeof yes_); s != status::ok) return s;
    return detail::each_other(o_, [this](int r) { return hear(r); });
  }
  status by_hub() {
    if (o_.rank() != 0) {
      expect(0);
      if (const status s = o_.send(0, &yes_, sizeof yes_); s != status::ok) return s;
      return hear(0);
    }
    detail::each_other(o_, [this](int r) { return expect(r); });
    const status s = detail::each_other(o_, [this](int r) { return hear(r); });
    return s != status::ok ? s : detail::send_to_all(o_, &yes_, sizeof yes_);
  }
  // Dissemination. Round k: a message to rank + 2^k, one from rank - 2^k.
  status by_rounds() {
    const int n = o_.size(), me = o_.rank();
    for (int step = 1; step < n; step *= 2) expect((me - step + n) % n);
    for (int step = 1; step < n; step *= 2) {
      const status s = o_.send((me + step) % n, &yes_, sizeof yes_);
      if (s != status::ok) return s;
      if (const status h = hear((me - step + n) % n); h != status::ok) return h;
    }
    return status::ok;
  }

  status expect(int from) {
    o_.expect(from, heard_.data() + from, sizeof yes_);
    return status::ok;
  }
  status hear(int from) {
    const status s = o_.finish(from);
    yes_ = yes_ && heard_.data()[from] != std::byte{0};
    return s;
  }

  const operation& o_;
  bool yes_;
  detail::scratch heard_;  // a byte from each member
};

// Whether nothing was sent or handled since all ranks counted. While this rank waits for the
// answer, others may have it and go on: what they send then is of the next round, and is held.
status confirm(engine& e, collective_kind kind, traffic before, bool& confirmed) {
  const operation o(team::world(), "quiesce", kind, 0, 1);
  if (o.failed()) return status::peer_failed;
  const detail::hold held(e);
  agreement all(o, count_traffic(e, kind) == before);
  const status s = all.find();
  confirmed = all.yes();
  return s;
}

// Rounds that find what the one before has found. After a while they come less often, and are to a
// hang report one wait: no message of theirs and no wait inside them is progress.
class vain_rounds {
 public:
  explicit vain_rounds(engine& e) : engine_(e), state_(e.parts().collectives) {}
  vain_rounds(const vain_rounds&) = delete;
  vain_rounds& operator=(const vain_rounds&) = delete;
  ~vain_rounds() { end(); }

  // After each round.
  void note(bool found_the_same) {
    if (!found_the_same) return end();
    const std::uint64_t now = base::now_ns();
    if (since_ns_ == 0) since_ns_ = now;
    lasted_ns_ = now - since_ns_;
    if (lasted_ns_ >= kShownAfterNs) state_.in_vain_since_ns = since_ns_;
  }

  // Before the next one: until something is to be counted here, or a part of the time that these
  // rounds have lasted is over.
  status pause() {
    if (state_.in_vain_since_ns == 0) return status::ok;
    const traffic before = count_own_traffic(engine_);
    wait_.name = state_.name;
    wait_.in_parts = true;
    wait_.since_ns = since_ns_;
    wait_.deadline_ns = base::now_ns() + std::clamp(lasted_ns_ / 16, kPauseNsMin, kPauseNsMax);
    const status s = engine_.wait(wait_, [&] { return count_own_traffic(engine_) != before; });
    return s == status::timed_out ? status::ok : s;
  }

 private:
  static constexpr std::uint64_t kShownAfterNs = 10'000'000;
  static constexpr std::uint64_t kPauseNsMin = 1'000'000, kPauseNsMax = 100'000'000;

  void end() {
    since_ns_ = 0;
    if (std::exchange(state_.in_vain_since_ns, 0) == 0 || !wait_.shown) return;
    wait_.deadline_ns = 0;
    static_cast<void>(engine_.wait(wait_, [] { return true; }));  // it is shown no more
  }

  engine& engine_;
  detail::collective_state& state_;
  detail::waiting wait_{.name = nullptr};
  std::uint64_t since_ns_ = 0, lasted_ns_ = 0;
};

}  // namespace

// Nothing is in flight if all ranks together have handled as much as they have sent, and no rank
// finds another count of its own when it counts again after all have counted: the four-counter
// argument. A chained message counts as sent when it is queued.
status detail::quiesce_as(collective_kind kind) {
  engine& e = collective_engine();
  const in_collective called(e, "quiesce");
  traffic before{~std::uint64_t{0}, 0};
  vain_rounds vain(e);
  for (;;) {
    e.send_gathered();
    while (e.poll_and_yield() != 0) {
    }
    if (const status s = vain.pause(); s != status::ok) return s;
    const traffic own = ramjet::count_traffic(e, kind);
    traffic all = own;
    auto add = [](traffic a, traffic b) { return a + b; };
    const status s = all_reduce_as(kind, team::world(), view_of(all), combining<traffic>(add));
    if (s != status::ok) return s;
    bool confirmed = false;
    if (all.sent == all.handled)
      if (const status c = confirm(e, kind, own, confirmed); c != status::ok) return c;
    if (confirmed) return status::ok;
    vain.note(all == before);
    before = all;
  }
}

status quiesce() { return detail::quiesce_as(detail::collective_kind::quiesce); }

// The last collective of a rank. Ends early if somebody died: nobody is left to wait for.
status detail::leave_together() {
  engine& e = collective_engine();
  const in_collective called(e, "finalize");
  const status s = quiesce_as(collective_kind::finalize);
  return s != status::ok ? s : barrier_as(collective_kind::finalize, team::world());
}

}  // namespace ramjet
