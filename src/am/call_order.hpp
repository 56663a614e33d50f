// SPDX-License-Identifier: Apache-2.0
// Every member of a team calls the same collectives in the same order, with the same roots. This is
// how a member that does not is found. A call has a tag: its number among the team's calls, its
// kind and its root. Every message of a collective carries the tag of its call, and its receiver
// compares it with what it has called, or will call, under that number. A member whose wait is
// overdue sends its tag to the member that it waits for: so calls that only wait for each other are
// found, too.
//
// Threads: the endpoint's own.
#pragma once

#include <cstdint>

#include "am/collective_state.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail {

enum class collective_kind : std::uint32_t {
  broadcast,
  reduce,
  all_reduce,
  long_all_reduce,  // of more than kShortBytes: goes other ways
  inclusive_scan,
  exclusive_scan,
  gather,
  all_gather,
  all_to_all,
  barrier,
  split,  // and those that collectives are made of
  quiesce,
  finalize,
};

// A tag: number:18 | root:10 | kind:4. In a barrier's messages the round stands where the root
// would. Numbers wrap; members are never that many calls apart.
constexpr call_tag make_tag(std::uint32_t number, collective_kind kind, unsigned root) noexcept {
  return number << 14 | (root & 0x3ff) << 4 | std::uint32_t(kind);
}
constexpr std::uint32_t number_of(call_tag tag) noexcept { return tag >> 14; }
constexpr unsigned root_of(call_tag tag) noexcept { return tag >> 4 & 0x3ff; }
constexpr collective_kind kind_of(call_tag tag) noexcept { return collective_kind(tag & 0xf); }

// Of messages with the endpoint of that rank that collectives go by.
pair_counters& counters_with(engine& e, int rank);

// Of a call in which members have arrays of their own lengths.
inline constexpr std::size_t kAnyLength = ~std::size_t{0};

// Begins the team's next call at this member. `bytes`: the length that all members' arrays have.
// Ends the process if another member is known to have called something else.
call_tag begin_call(engine& e, team_state& t, collective_kind kind, int root, std::size_t bytes);

// A message of the call has come from a rank of the job: ends the process if this member has called
// something else under its number.
void check_call(engine& e, team_state& t, call_tag tag, int from);

// Ends the process if a message of the other rank is not of the call and length that it is taken
// for.
void check_match(engine& e, call_tag tag, call_tag other_tag, int other, std::size_t bytes,
                 std::size_t other_bytes);

// A wait of a collective: shows itself by the name that the program called, and asks whom it waits
// for what they have called when it is overdue.
struct call_wait : waiting {
  team_state& team;
  call_tag tag;
  int member;  // waited for, -1: several
};
call_wait wait_in_call(engine& e, team_state& t, call_tag tag, int member);

// Sends the tag of the call to the member that this one waits for, -1: to its neighbour. Where each
// member that waits does so, one of them asks one that has called something else.
void compare_calls(engine& e, const team_state& t, call_tag tag, int member);

}  // namespace ramjet::detail
