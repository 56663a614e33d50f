// SPDX-License-Identifier: Apache-2.0
// What an endpoint remembers between and during collectives: its teams, and for each team the
// barrier under way and what has come from each member. Messages may arrive before this rank enters
// the collective they belong to, or has even learnt of their team; they wait here.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ramjet/detail/base/owned.hpp"
#include "ramjet/team.hpp"

namespace ramjet::detail {

#pragma GCC visibility push(default)  // as their definitions say, whichever comes first
class engine;
#pragma GCC visibility pop

using call_tag = std::uint32_t;  // names a call of a team, see call_order.hpp

inline constexpr std::size_t kShortBytes = 32;  // what a short message of a collective carries

// What one member sends to this one. Messages of a pair arrive in the order in which they are sent,
// and each side names the same ones in the same order, so nothing else is matched. At most one is
// expected: either it is `expected` or the first of `early`, never both.
struct source {
  struct message {
    call_tag tag;
    std::size_t bytes;
    std::size_t filled;  // <= bytes; all before the last are complete
    std::array<std::byte, kShortBytes> inside;
    std::vector<std::byte> outside;  // instead, if bytes > kShortBytes
    std::byte* data() noexcept { return bytes > kShortBytes ? outside.data() : inside.data(); }
  };

  bool expected = false;  // `into` takes the next message
  bool complete = false;  // it is there
  call_tag tag = 0;
  std::byte* into = nullptr;
  std::size_t bytes = 0;
  std::size_t filled = 0;  // <= bytes
  std::vector<message> early;  // from `first` on
  std::uint32_t first = 0;
  // How many of `early` are to be taken until the member is told so, as it asked; 0: it has not, or
  // was told. (collectives/ahead.hpp)
  std::uint32_t told_after = 0;

  std::size_t kept() const noexcept { return early.size() - first; }
};

// How far this member may run ahead of another. (collectives/ahead.hpp)
struct target {
  std::uint32_t room = 0;  // bytes that may still be sent to it in this half
  bool asked = false;  // whether it has taken all that came before this half; and has not said so
};

struct barrier_state {
  static constexpr unsigned kRoundsMax = 10;  // 2^10 ranks

  std::uint64_t entered = 0;  // by this rank
  call_tag tag = 0;  // of the one entered last
  unsigned failed_tries = 0;  // to end it
  bool notified = false;  // and not waited for
  bool complete = false;  // the one entered last
  unsigned round = 0;  // dissemination: messages of all rounds before it are there
  std::uint32_t generation = 0;  // counter: before this rank arrived
  std::array<std::uint64_t, kRoundsMax> received{};  // messages, by round
};

struct team_state {
  // Of this, and one in collective_state::teams. A handle may go in any thread.
  std::atomic<unsigned> handles{0};
  std::uint32_t id = 0;
  engine* owner = nullptr;  // nullptr: not split off here yet, or the endpoint is closed
  int rank = -1;
  std::vector<int> members;  // their ranks in the job; empty: not split off here yet
  std::uint32_t calls = 0;  // collectives begun by this rank
  call_tag tag = 0;  // of the latest of them
  std::size_t bytes = 0;  // that each member has in it
  // What is known of the calls up to 16 before and after `calls`, by number modulo 16: this rank's
  // own, or one that another rank has begun and this one has not.
  struct known_call {
    call_tag tag = 0;
    int from = -1;  // a rank of the job; -1: this one
  };
  std::array<known_call, 16> known{};
  barrier_state barrier;
  std::vector<source> sources;  // by member
  std::vector<target> targets;  // by member; none: not split off here yet

  int size() const noexcept { return int(members.size()); }
};

struct collective_state {
  collective_state() = default;
  collective_state(const collective_state&) = delete;
  collective_state& operator=(const collective_state&) = delete;
  ~collective_state();

  // Makes the team of all ranks.
  void open(engine& e);
  // The team of that number; a new one that awaits its members if there is none.
  team_state* team_of(std::uint32_t id);
  // The same, of all ranks too.
  team_state& any_team(std::uint32_t id) { return id == kWorld ? *world_state : *team_of(id); }
  // The same, nullptr if there is none.
  team_state* find_team(std::uint32_t id);

  static constexpr std::uint32_t kWorld = 0;
  team world;
  team_state* world_state = nullptr;
  std::unordered_map<std::uint32_t, shared<team_state>> teams;  // but the world
  std::uint32_t next_team = kWorld + 1;  // above all numbers of teams that this rank was ever in

  const char* name = nullptr;  // of the collective in progress, as the program called it
  unsigned in_progress = 0;  // collectives: one in another, or of different teams in threads
  std::uint64_t own_sent = 0;  // messages of collectives, which quiesce must not count
  std::uint64_t own_handled = 0;
  std::uint64_t polls_at_send = ~std::uint64_t{0};  // that there were before the latest of them
  // Since when the rounds of a quiesce here find nothing new: waits that end in it, and what it
  // sends, do not count as progress. 0: none is under way, or its rounds do.
  std::uint64_t in_vain_since_ns = 0;
};

// Whether the requests of this handler are messages of collectives, those named below included.
bool is_of_collectives(unsigned handler) noexcept;
// Whether they carry values, or are a barrier's.
bool carries_values(unsigned handler) noexcept;
bool is_of_barrier(unsigned handler) noexcept;
// Whether the requests of this handler are those by which members compare their calls
// (call_order.hpp).
bool is_call_comparison(unsigned handler) noexcept;
// Whether the requests of this handler are those by which a member asks another how far it is, or
// is told (collectives/ahead.hpp).
bool is_credit_message(unsigned handler) noexcept;

}  // namespace ramjet::detail
