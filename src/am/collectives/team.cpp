// SPDX-License-Identifier: Apache-2.0
// Teams. The number of a new team is the largest that any member of the team it comes from has
// left, and each of them goes on above it; so no rank is ever in two teams of one number, and the
// parts of one split, which share no rank, may share it.
#include <algorithm>
#include <numeric>

#include "am/collectives/operation.hpp"

namespace ramjet {

namespace detail {

void retain(team_state* t) noexcept { t->handles.fetch_add(1, std::memory_order_relaxed); }

void release(team_state* t) noexcept {
  // pairs: team.handles
  if (t->handles.fetch_sub(1, std::memory_order_acq_rel) == 1) delete t;
}

collective_state::~collective_state() {
  if (world_state != nullptr) world_state->owner = nullptr;
  for (auto& [id, t] : teams) t->owner = nullptr;
}

void collective_state::open(engine& e) {
  auto* const t = new team_state;
  world = team(t);
  t->owner = &e;
  t->rank = e.rank();
  t->members.resize(std::size_t(e.ranks()));
  std::iota(t->members.begin(), t->members.end(), 0);
  t->sources.resize(t->members.size());
  t->targets.resize(t->members.size(), {.room = half_bytes(e.ranks())});
  world_state = t;
}

team_state* collective_state::team_of(std::uint32_t id) {
  shared<team_state>& t = teams[id];
  if (!t) {
    t = shared(new team_state);
    t->id = id;
  }
  return t.get();
}

team_state* collective_state::find_team(std::uint32_t id) {
  if (id == kWorld) return world_state;
  const auto found = teams.find(id);
  return found == teams.end() ? nullptr : found->second.get();
}

namespace {

struct wish {
  int color, key;
  std::uint32_t next_team;
};

// The ranks of the members with this color, in order.
std::vector<int> members_with(int color, const std::vector<wish>& wishes, const team& among) {
  std::vector<int> chosen;
  for (int r = 0; r < among.size(); ++r)
    if (wishes[std::size_t(r)].color == color) chosen.push_back(r);
  std::ranges::stable_sort(chosen, {}, [&](int r) { return wishes[std::size_t(r)].key; });
  for (int& r : chosen) r = among.world_rank(r);
  return chosen;
}

// Teams of which no handle is left. All that was sent to them has been received, but perhaps what
// other members have taken.
void forget_unused(collective_state& c) {
  std::erase_if(c.teams, [](const auto& entry) {
    const team_state& t = *entry.second;
    return t.owner != nullptr && t.handles.load(std::memory_order_relaxed) == 1;
  });
}

}  // namespace
}  // namespace detail

const team& team::world() noexcept {
  static const team none;
  detail::engine& e = *detail::current_engine;
  return e.is_open() ? e.parts().collectives.world : none;
}

team team::split(int color, int key) const {
  detail::engine& e = detail::collective_engine();
  const detail::in_collective called(e, "team::split");
  if (e.failures() != 0) return {};
  static_cast<void>(detail::members_of(e, *this));
  detail::collective_state& c = e.parts().collectives;
  detail::forget_unused(c);
  std::vector<detail::wish> wishes{std::size_t(size()), detail::wish{}};
  const detail::wish mine{color, key, c.next_team};
  if (detail::all_gather_as(detail::collective_kind::split, *this, detail::view_of(mine),
                            detail::view_of(std::span(wishes))) != status::ok)
    return {};
  const auto highest = std::ranges::max(wishes, {}, &detail::wish::next_team);
  c.next_team = highest.next_team + 1;
  RAMJET_CHECK(c.next_team != 0, "a rank was in 2^32 teams");
  if (color < 0) return {};
  detail::team_state* const t = c.team_of(highest.next_team);
  t->members = detail::members_with(color, wishes, *this);
  const auto here = std::ranges::find(t->members, e.rank());
  t->rank = int(here - t->members.begin());
  RAMJET_CHECK(t->sources.size() <= t->members.size(), "a collective's message is of no member");
  t->sources.resize(t->members.size());
  t->targets.resize(t->members.size(), {.room = detail::half_bytes(t->size())});
  t->owner = &e;
  return team(t);
}

int team::rank() const noexcept { return empty() ? -1 : state_->rank; }
int team::size() const noexcept { return empty() ? 0 : state_->size(); }

int team::world_rank(int member) const {
  RAMJET_CHECK(member >= 0 && member < size(), "world_rank: no such member of the team");
  return state_->members[std::size_t(member)];
}

}  // namespace ramjet
