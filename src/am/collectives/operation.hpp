// SPDX-License-Identifier: Apache-2.0
// One collective in progress: who takes part, and messages between them. What the algorithms in
// this folder are written in.
//
// Threads: the endpoint's own.
#pragma once

#include <cstddef>
#include <memory>

#include "am/call_order.hpp"
#include "am/collective_state.hpp"
#include "am/collectives/ahead.hpp"
#include "am/engine_cold.hpp"
#include "ramjet/collectives.hpp"

namespace ramjet::detail {

// The calling thread's engine, open, and not inside a handler; else the process ends.
engine& collective_engine();

// A message of a collective is sent now.
void note_send(engine& e) noexcept;
// Sends what has been since the last poll and waits for the wire.
void flush_unpolled(engine& e);

// Names the collective that the program called, for as long as it lasts: a hang report shows this
// name, not that of a collective inside it. A wait for room inside it ends with any death. At its
// end what this member has sent is on its way, though the program may compute from here on.
class in_collective {
 public:
  in_collective(engine& e, const char* name);
  in_collective(const in_collective&) = delete;
  in_collective& operator=(const in_collective&) = delete;
  ~in_collective();

 private:
  engine& engine_;
  collective_state& state_;
  bool is_first_;
};

// What a member sends to this one, as a message names it. Ends the process if the rank is another.
RAMJET_INLINE source& source_of(team_state& t, unsigned member, int rank) {
  if (t.members.empty()) {  // not split off here yet
    RAMJET_CHECK(member < unsigned(current_engine->ranks()),
                 "a collective's message is of no member");
    if (member >= t.sources.size()) t.sources.resize(member + 1);
  } else {
    RAMJET_CHECK(member < t.members.size() && t.members[member] == rank,
                 "a collective's message is of no member");
  }
  return t.sources[member];
}

// The team that the program named, in order, with this engine as a member.
team_state& members_of(engine& e, const team& among);

class operation {
 public:
  // Begins it at this member; `bytes` as begin_call takes it. Ends the process if the team is not
  // one of this endpoint's. With a dead rank in the job nothing else is checked: see failed().
  operation(const team& among, const char* name, collective_kind kind, int root, std::size_t bytes);
  ~operation();

  // Whether a rank of the job is dead: then nothing else of this may be called.
  bool failed() const noexcept { return team_ == nullptr; }
  int size() const noexcept { return team_->size(); }
  int rank() const noexcept { return team_->rank; }
  bool is_member(int r) const noexcept { return r >= 0 && r < size(); }
  // Ranks outnumber cores: the fewer turns of the processors the better, not the fewer messages in
  // a row.
  bool crowded() const noexcept { return crowded_; }
  // The same, and all members meet at the machine's counter: see counter.hpp.
  bool at_counter() const noexcept { return at_counter_; }
  engine& by() const noexcept { return *engine_; }
  team_state& state() const noexcept { return *team_; }
  // The same for all members.
  call_tag tag() const noexcept { return tag_; }
  // A wait for a message of the member, or of several: -1.
  call_wait wait_for(int member) const { return wait_in_call(*engine_, *team_, tag_, member); }

  // Sends a message, or a part of one that is `total` bytes long, to a member. The bytes are copied
  // before it returns; polls while there is no room.
  status send(int to, const void* data, std::size_t bytes) const;
  // Comes before the first part of a message. Waits where the member is too far behind.
  status begin_message(int to, std::size_t bytes) const {
    target& there = team_->targets[std::size_t(to)];
    const std::size_t cost = cost_of_message(bytes);
    if (cost > there.room) [[unlikely]]
      return begin_half(*this, to, cost);
    there.room -= std::uint32_t(cost);
    return status::ok;
  }
  status send_part(int to, const void* data, std::size_t bytes, std::size_t total) const;

  // The next message of a member goes to `into`. One at a time for each member.
  void expect(int from, void* into, std::size_t bytes) const;
  // Polls until it is there.
  status finish(int from) const;
  // Polls until more than `known` bytes of it are there, or all, and says how many.
  status finish_part(int from, std::size_t known, std::size_t& there) const;

  status receive(int from, void* into, std::size_t bytes) const {
    expect(from, into, bytes);
    return finish(from);
  }
  // Sends to and receives from the same member, at once.
  status exchange(int with, const void* mine, void* theirs, std::size_t bytes) const;

 private:
  void received(source& s) const;

  in_collective called_;
  engine* engine_;
  team_state* team_ = nullptr;
  call_tag tag_ = 0;
  bool crowded_ = false;
  bool at_counter_ = false;
  mutable int expected_ = 0;  // messages expected and not finished
};

// What quiesce, finalize and team::split are made of. all_reduce of at most kShortBytes.
status barrier_as(collective_kind kind, const team& among);
status all_reduce_as(collective_kind kind, const team& among, array_view values, combination op);
status all_gather_as(collective_kind kind, const team& among, array_view mine, array_view all);
status quiesce_as(collective_kind kind);

// Room for values of any type, of the operation's own.
class scratch {
 public:
  explicit scratch(std::size_t bytes) {
    if (bytes > sizeof inside_) outside_.reset(new (kAlignment) std::byte[bytes]);
  }
  std::byte* data() noexcept { return outside_ ? outside_.get() : inside_; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct aligned_delete {
    void operator()(std::byte* p) const { operator delete[](p, kAlignment); }
  };
  alignas(64) std::byte inside_[256];
  std::unique_ptr<std::byte[], aligned_delete> outside_;
};

}  // namespace ramjet::detail
