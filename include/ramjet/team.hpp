// SPDX-License-Identifier: Apache-2.0
// Teams: some of a job's ranks, numbered among themselves, that call collectives without the rest.
// A rank can be in any number of teams; messages of different teams never meet. A team belongs to
// the endpoint that split it off and is used by that endpoint's thread; its handles are copied
// freely, and may outlive the endpoint, when nothing can be done with them any more.
#pragma once

#include "ramjet/detail/base/owned.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

namespace detail {
struct collective_state;  // src/am/collective_state.hpp
struct team_state;
void retain(team_state* t) noexcept;
void release(team_state* t) noexcept;
}  // namespace detail

class team {
 public:
  // No member: rank() is -1, size() is 0, and a collective of it ends the process.
  team() noexcept = default;

  // All ranks of the job, in their order: what collectives mean if no team is named. Of the calling
  // thread's endpoint; an empty team in a thread without one.
  static const team& world() noexcept;

  // Parts this team: members with the same color are a team, in the order of their keys, and of
  // their ranks here where keys are equal. With color < 0 a rank is in none and gets an empty team.
  // A collective of this team, with the contract of collectives.hpp. If a rank of the job is dead
  // the result is an empty team, of which every collective says peer_failed.
  // Cost: an all_gather of 12 bytes, and about 90 bytes of memory for each member.
  [[nodiscard]] team split(int color, int key = 0) const;

  // This rank's number in the team, -1 if it is empty.
  int rank() const noexcept;
  int size() const noexcept;
  bool empty() const noexcept { return !state_; }
  // The job's number of a member, for request() and the like. One outside 0 .. size() - 1 ends the
  // process.
  int world_rank(int member) const;

  // Whether both are handles of the same team.
  friend bool operator==(const team&, const team&) noexcept = default;

 private:
  friend struct detail::collective_state;
  explicit team(detail::team_state* state) noexcept : state_(state) {}
  friend detail::team_state* state_of(const team& t) noexcept { return t.state_.get(); }
  detail::shared<detail::team_state> state_;
};

}  // namespace ramjet

#pragma GCC visibility pop
