// SPDX-License-Identifier: Apache-2.0
#include "am/call_order.hpp"

#include <string>

#include "am/engine_cold.hpp"
#include "am/runtime.hpp"
#include "base/clock.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"

namespace ramjet::detail {

namespace {

constexpr std::uint32_t kNumbers = 1u << 18;

// How many calls `a` is after `b`; negative: before.
std::int32_t calls_after(std::uint32_t a, std::uint32_t b) noexcept {
  return std::int32_t((a - b) << 14) >> 14;
}
static_assert(kNumbers << 14 == 0);

const char* name_of(collective_kind kind) noexcept {
  static constexpr const char* kNames[] = {
      "broadcast",      "reduce",  "all_reduce", "all_reduce", "inclusive_scan",
      "exclusive_scan", "gather",  "all_gather", "all_to_all", "barrier",
      "team::split",    "quiesce", "finalize",
  };
  return std::size_t(kind) < std::size(kNames) ? kNames[std::size_t(kind)] : "nothing known";
}

bool has_root(collective_kind kind) noexcept {
  return kind == collective_kind::broadcast || kind == collective_kind::reduce ||
         kind == collective_kind::gather;
}

// What a call is, and its number where that is the difference.
std::string text_of(call_tag tag, bool with_number) {
  std::string text = name_of(kind_of(tag));
  if (has_root(kind_of(tag))) text += " with root " + std::to_string(root_of(tag));
  if (with_number) text += " as call " + std::to_string(number_of(tag)) + " of the team";
  return text;
}

[[noreturn]] void different_lengths() {
  die_of_misuse("ranks disagree about a collective's length");
}

using known_call = team_state::known_call;

[[noreturn]] void different_calls(engine& e, const known_call& one, const known_call& other) {
  const auto is_all_reduce = [](call_tag tag) {
    return kind_of(tag) == collective_kind::all_reduce ||
           kind_of(tag) == collective_kind::long_all_reduce;
  };
  const bool same_number = number_of(one.tag) == number_of(other.tag);
  if (same_number && is_all_reduce(one.tag) && is_all_reduce(other.tag)) different_lengths();
  const auto said_of = [&](const known_call& c) {
    return "rank " + std::to_string(c.from < 0 ? e.rank() : c.from) + " calls " +
           text_of(c.tag, !same_number);
  };
  const std::string text =
      "ranks call different collectives of one team, or in another order: " + said_of(one) + ", " +
      said_of(other);
  die_of_misuse(text.c_str());
}

// Where ranks die, the others may have gone different ways since.
bool has_failures(engine& e) {
  e.note_failures();
  return e.failures() != 0;
}

// Comparisons do not count as progress of a job that hangs: they are counted once more, as checks.
void on_overdue(request_token from, std::uint32_t team, call_tag tag, std::uint64_t bytes) {
  engine& e = *current_engine;
  collective_state& c = e.parts().collectives;
  ++c.own_handled;
  bump(counters_with(e, from.rank()).checks_received);
  team_state* t = c.find_team(team);
  if (t == nullptr) return;  // not split off here yet, or given up
  check_call(e, *t, tag, from.rank());
  const bool same = t->tag == tag && bytes != kAnyLength && t->bytes != kAnyLength;
  if (same && t->bytes != bytes && !has_failures(e)) different_lengths();
}

void ask_when_overdue(engine& e, const waiting& w) {
  const auto& call = static_cast<const call_wait&>(w);
  compare_calls(e, call.team, call.tag, call.member);
}

}  // namespace

pair_counters& counters_with(engine& e, int rank) { return *e.find(rank, e.endpoint())->count; }

call_tag begin_call(engine& e, team_state& t, collective_kind kind, int root, std::size_t bytes) {
  const call_tag tag = make_tag(++t.calls, kind, unsigned(root));
  known_call& known = t.known[number_of(tag) % t.known.size()];
  if (known.from >= 0 && number_of(known.tag) == number_of(tag) && known.tag != tag &&
      !has_failures(e))
    different_calls(e, {tag, -1}, known);
  known = {tag, -1};
  t.tag = tag;
  t.bytes = bytes;
  if (e.parts().recorder) e.parts().recorder->tag = std::uint64_t(t.id) << 32 | tag;
  return tag;
}

void check_call(engine& e, team_state& t, call_tag tag, int from) {
  known_call& known = t.known[number_of(tag) % t.known.size()];
  if (known.tag == tag) [[likely]]
    return;
  const std::int32_t ahead = calls_after(number_of(tag), t.calls % kNumbers);
  if (ahead > std::int32_t(t.known.size())) return;  // what is kept of this member's is nearer
  const bool is_known = number_of(known.tag) == number_of(tag) && known.tag != 0;
  if (is_known && !has_failures(e)) different_calls(e, known, {tag, from});
  if (ahead > 0) known = {tag, from};
}

void check_match(engine& e, call_tag tag, call_tag other_tag, int other, std::size_t bytes,
                 std::size_t other_bytes) {
  if (tag != other_tag) [[unlikely]]
    different_calls(e, {tag, -1}, {other_tag, other});
  if (bytes != other_bytes) [[unlikely]]
    different_lengths();
}

call_wait wait_in_call(engine& e, team_state& t, call_tag tag, int member) {
  const collective_state& c = e.parts().collectives;
  return {{.name = c.name,
           .target = member < 0 ? -1 : t.members[std::size_t(member)],
           .told_deaths = true,  // another thread of this endpoint may have been told
           .messages_only = true,
           .overdue = ask_when_overdue,
           .hidden = c.in_vain_since_ns != 0,  // quiesce shows its own
           .since_ns = c.in_vain_since_ns != 0 ? base::now_ns() : 0},
          t,
          tag,
          member};
}

bool is_call_comparison(unsigned index) noexcept { return index == handler<on_overdue>::index(); }

void compare_calls(engine& e, const team_state& t, call_tag tag, int member) {
  if (member < 0) member = (t.rank + 1) % t.size();
  if (member == t.rank) return;
  const int rank = t.members[std::size_t(member)];
  collective_state& c = e.parts().collectives;
  // The member may have come meanwhile, and even have closed its endpoint.
  const closed_peers_allowed meanwhile(e.parts());
  const status s = try_request<on_overdue>({rank, e.endpoint()}, t.id, tag, std::uint64_t(t.bytes));
  if (s != status::ok) return;  // the next time
  ++c.own_sent;
  bump(counters_with(e, rank).checks_sent);
}

}  // namespace ramjet::detail
