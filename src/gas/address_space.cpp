// SPDX-License-Identifier: Apache-2.0
// Fills in what the inlined half of the global address space works with (address_space.hpp), when
// a job is joined.
#include "ramjet/detail/gas/address_space.hpp"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/no_destroy.hpp"
#include "job/join.hpp"
#include "node/region.hpp"
#include "trace/recorder.hpp"

namespace ramjet {

constinit detail::address_space detail::live_space = detail::kNoSpace;

namespace gas {

namespace {

void enter_space(const node::shape&) noexcept;
void leave_space() noexcept { detail::live_space = detail::kNoSpace; }

// detail::store_gate[ranks]
node::region gates("gas.gates", [](const node::shape& s) -> std::uint64_t {
  return s.ranks * sizeof(detail::store_gate);
});
// detail::store_line[target][sender]
node::region stores("gas.stores",
                    [](const node::shape& s) -> std::uint64_t {
                      return std::uint64_t(s.ranks) * s.ranks * sizeof(detail::store_line);
                    },
                    {.bound = enter_space, .released = leave_space});

// Whose memory this rank reaches in place; for detail::live_space.
constinit base::no_destroy<std::vector<std::uint8_t>> near_ranks;

// The near block is all near ranks where they are numbered one after the other, else this rank
// alone; and so it is where a trace tells accesses to near memory, for which the cold path does it.
void enter_space(const node::shape&) noexcept {
  const job::membership& m = job::self();
  const node::geometry& g = m.layout;
  const auto me = unsigned(m.rank);
  near_ranks.value.assign(g.ranks, 0);
  unsigned first = g.ranks, last = 0, count = 0;
  for (unsigned r = 0; r < g.ranks; ++r) {
    if (r != me && (m.settings.all_far || !m.near(r))) continue;
    near_ranks.value[r] = 1;
    first = std::min(first, r);
    last = r;
    ++count;
  }
  const bool is_told = m.settings.trace_near && trace::ring_bytes(m.settings, m.ranks) != 0;
  if (last - first + 1 != count || is_told) {
    first = me;
    count = 1;
  }
  detail::address_space s = detail::kNoSpace;
  s.own_bits = std::uint64_t(me) << detail::kRankShift | g.window_base;
  s.window_base = g.window_base;
  s.segment_bytes = g.segment_bytes;
  s.near_bits = std::uint64_t(first) << detail::kRankShift | g.window_base;
  s.near_base = g.segment_base + first * g.segment_bytes;
  s.near_count = count;
  s.words_end = g.segment_bytes - 7;
  s.ranks = g.ranks;
  s.ranks_log = std::has_single_bit(g.ranks) ? std::countr_zero(g.ranks) : -1;
  s.segment_base = g.segment_base;
  s.gates = gates.as<detail::store_gate>();
  s.stores = stores.as<detail::store_line>();
  s.sent = s.stores + me;
  s.near_ranks = near_ranks.value.data();
  detail::live_space = s;
  // A forked child is no rank: no pointer passes its checks.
  static const int registered = ::pthread_atfork(nullptr, nullptr, leave_space);
  static_cast<void>(registered);
}

}  // namespace

}  // namespace gas
}  // namespace ramjet
