// SPDX-License-Identifier: Apache-2.0
// Fills in what the inlined half of the global address space works with (address_space.hpp), when
// a job is joined.
#include "ramjet/detail/gas/address_space.hpp"

#include <pthread.h>

#include <bit>
#include <vector>

#include "base/no_destroy.hpp"
#include "job/join.hpp"
#include "node/region.hpp"
#include "ramjet/detail/gas/reach.hpp"
#include "trace/recorder.hpp"

namespace ramjet {

constinit detail::near_table detail::near_places{};
constinit detail::address_space detail::live_space = detail::kNoSpace;

namespace gas {

namespace {

// Every pointer to the rank is further from it than a segment is long.
constexpr std::uint64_t nowhere(std::uint64_t rank) noexcept {
  return (rank ^ 0x8000) << detail::kRankShift;
}
void clear_places(std::uint64_t ranks) noexcept {
  for (std::uint64_t r = 0; r < ranks; ++r) detail::near_places.first[r] = nowhere(r);
}

// Null pointers are to rank 0. A constructor of the program may have joined before this one runs.
[[maybe_unused]] const bool cleared =
    (clear_places(detail::live_space.ranks == 0 ? 1 : 0), true);

void enter_space(const node::shape&) noexcept;
void leave_space() noexcept {
  clear_places(detail::live_space.ranks);
  detail::live_space = detail::kNoSpace;
  detail::read_end = detail::write_end = 0;  // what loops keep of the tables is out of date
}

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

// Ranks whose memory this one reaches in place; for detail::live_space.
constinit base::no_destroy<std::vector<std::uint8_t>> near_ranks;

// Where accesses find the memory of rank r: this rank's at the window. Where a trace tells accesses
// to near memory they find this rank's alone: the cold path does the others, and tells them.
void enter_places(const detail::address_space& s, bool tells_near) noexcept {
  const node::geometry& g = job::self().layout;
  for (std::uint64_t r = 0; r < s.ranks; ++r) {
    const std::uint64_t first = r << detail::kRankShift | g.window_base;
    const std::uint64_t at = r == s.rank() ? g.window_base : g.segment_base + r * g.segment_bytes;
    const bool is_found = r == s.rank() || (s.is_near(r) && !tells_near);
    detail::near_places.first[r] = is_found ? first : nowhere(r);
    detail::near_places.delta[r] = at - first;
    detail::near_places.sent[r] = &s.stores_to(r);
  }
}

void enter_space(const node::shape&) noexcept {
  const job::membership& m = job::self();
  const node::geometry& g = m.layout;
  const auto me = unsigned(m.rank);
  near_ranks.value.assign(g.ranks, 0);
  unsigned count = 0;
  for (unsigned r = 0; r < g.ranks; ++r) {
    if (r != me && (m.settings.all_far || !m.near(r))) continue;
    near_ranks.value[r] = 1;
    ++count;
  }
  const bool tells_near = m.settings.trace_near && trace::ring_bytes(m.settings, m.ranks) != 0;
  detail::address_space s = detail::kNoSpace;
  s.own_bits = std::uint64_t(me) << detail::kRankShift | g.window_base;
  s.window_base = g.window_base;
  s.segment_bytes = g.segment_bytes;
  s.words_end = g.segment_bytes - 7;
  s.ranks = g.ranks;
  s.ranks_log = std::has_single_bit(g.ranks) ? std::countr_zero(g.ranks) : -1;
  s.segment_base = g.segment_base;
  s.found_count = tells_near ? 1 : count;
  s.gates = gates.as<detail::store_gate>();
  s.stores = stores.as<detail::store_line>();
  s.sent = s.stores + me;
  s.near_ranks = near_ranks.value.data();
  enter_places(s, tells_near);
  detail::live_space = s;
  // A forked child is not a rank: no pointer passes its checks, nor one that a loop has found
  // before.
  static const int registered = ::pthread_atfork(nullptr, nullptr, leave_space);
  static_cast<void>(registered);
}

}  // namespace

}  // namespace gas
}  // namespace ramjet
