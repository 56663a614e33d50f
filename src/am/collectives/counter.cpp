// SPDX-License-Identifier: Apache-2.0
#include "am/collectives/counter.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "am/collectives/choice.hpp"
#include "job/join.hpp"
#include "node/region.hpp"
#include "node/wake.hpp"

namespace ramjet::detail {

namespace {

// A counter barrier among the ranks of the node, one per endpoint index and meeting.
struct alignas(64) barrier_line {
  std::atomic<std::uint32_t> arrived;  // ranks of the node; pairs: am.arrived
  alignas(64) std::atomic<std::uint32_t> generation;  // the last to arrive; pairs: am.barrier
};

// What a rank brings to a meeting for values. Written by the rank, read by all.
struct alignas(64) value_slot {
  std::uint32_t tag;  // of the collective that it is for
  std::uint32_t bytes;
  alignas(32) std::byte data[kShortBytes];
};
static_assert(sizeof(value_slot) == 64);

// [endpoint][meeting]
node::region barrier_lines("am.barriers", [](const node::shape& s) -> std::uint64_t {
  return s.endpoints * 2 * sizeof(barrier_line);
});
// [endpoint][rank][2]
node::region value_slots("am.values", [](const node::shape& s) -> std::uint64_t {
  return s.ports() * 2 * sizeof(value_slot);
});

barrier_line& line_of(const engine& e, meeting m) {
  return barrier_lines.as<barrier_line>()[e.endpoint() * 2 + unsigned(m)];
}
// The two slots of a rank.
value_slot* slots_of(const engine& e, int rank) {
  return value_slots.as<value_slot>() + (e.endpoint() * unsigned(e.ranks()) + unsigned(rank)) * 2;
}

}  // namespace

bool meets_at_counter(const team_state& t) noexcept {
  return t.id == collective_state::kWorld && job::self().nodes == 1;
}

std::uint32_t arrive(engine& e, meeting m) {
  barrier_line& line = line_of(e, m);
  const std::uint32_t generation = line.generation.load(std::memory_order_relaxed);
  const unsigned before =
      line.arrived.fetch_add(1, std::memory_order_acq_rel);  // pairs: am.arrived
  if (int(before) + 1 != e.ranks()) return generation;
  line.arrived.store(0, std::memory_order_relaxed);
  line.generation.store(generation + 1, std::memory_order_release);  // pairs: am.barrier
  node::wake_each(unsigned(e.ranks()), [&e](unsigned r) -> port_line& {
    return *e.find(int(r), e.endpoint())->out_lane.receiver;
  });
  return generation;
}

bool everyone_came(const engine& e, meeting m, std::uint32_t generation) {
  return line_of(e, m).generation.load(std::memory_order_acquire) !=  // pairs: am.barrier
         generation;
}

status all_reduce_at_counter(const operation& o, array_view values, combination op) {
  engine& e = o.by();
  const std::size_t bytes = values.bytes();
  auto* data = static_cast<std::byte*>(values.data);
  // Nobody changes the generation before this rank arrives.
  const unsigned turn = line_of(e, meeting::values).generation.load(std::memory_order_relaxed) & 1;
  value_slot& mine = slots_of(e, e.rank())[turn];
  mine.tag = o.tag();
  mine.bytes = std::uint32_t(bytes);
  copy_bytes(mine.data, data, bytes);
  const std::uint32_t generation = arrive(e, meeting::values);
  call_wait w = o.wait_for(-1);
  const status s = e.wait(w, [&] { return everyone_came(e, meeting::values, generation); });
  if (s != status::ok) return s;
  for (int r = 0; r < e.ranks(); ++r) {
    value_slot& theirs = slots_of(e, r)[turn];
    check_match(e, o.tag(), theirs.tag, r, bytes, theirs.bytes);
    if (r == 0) {
      copy_bytes(data, theirs.data, bytes);
    } else {
      combine(op, data, theirs.data, values.count);
    }
  }
  return status::ok;
}

}  // namespace ramjet::detail
