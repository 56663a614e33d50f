// SPDX-License-Identifier: Apache-2.0
// What an engine knows about each port that it can reach, and about a wait in progress.
//
// Equations that hold between calls, per peer p (positions count words, they never wrap back):
//   answered <= tail <= answered + ring_words      the sender's half of the record ring
//   published <= head, clean <= head               the receiver's half
//   max(published, clean) == head                  unless the sender is owed credit
//   tail <= line_end <= tail + 8                   unless blocked: then line_end = limit = 0,
//                                                  but by kTraced alone: then limit is at most
//                                                  where the next line begins that is told
//   gathering != 0                                 if and only if blocked & kGathering
#pragma once

#include <cstddef>
#include <cstdint>

#include "ramjet/detail/base/wait_loop.hpp"
#include "ramjet/detail/lane/layout.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

class engine;

struct call_state;     // call_state.hpp
struct chain_queue;    // src/am/chain.hpp
struct payload_marks;  // src/am/payload.hpp

// Why the fast path of sending to a peer is closed.
enum block_reason : std::uint8_t {
  kInactive = 1,  // not in the active list: no poll would take its replies
  kChained = 2,   // messages wait in the chain queue and go first
  kDead = 4,
  kGathering = 8,  // items gather for it (item_block.hpp): a message leaves behind them
  kTraced = 16,  // always, where the job is traced: each message that is told asks for its room
  kDepositing = 32,  // the record at its tail is begun: what is deposited for it is on its way
};

// What one engine knows about one port it can reach.
struct alignas(64) peer {
  // Sending: the first line.
  word* out = nullptr;
  std::uint64_t tail = 0;       // next word to write
  std::uint64_t line_end = 0;   // end of the open line
  std::uint64_t limit = 0;      // a line may be opened at t if t + 8 <= limit
  std::uint64_t opened = 0;     // lines before it are zeroed for this lap
  std::uint64_t answered = 0;   // all before is answered or consumed
  credit_line* out_credit = nullptr;
  pair_counters* count = nullptr;
  // Of sending and receiving, and receiving: the second line.
  std::uint32_t port = 0;
  std::uint8_t blocked = kInactive;  // block_reason bits
  bool active = false;
  bool reply_room = true;       // the reply payload ring can take the longest reply
  bool far = false;             // on another machine: its memory is not mapped here
  word* in = nullptr;
  std::uint64_t head = 0;       // next word to read
  std::uint64_t clean = 0;      // no record in [clean, head) was answered
  std::uint64_t published = 0;  // head as the sender was last given it
  std::uint64_t credit_at = 0;  // when head gets there it is given again
  credit_line* in_credit = nullptr;
  // Bytes of the request payload ring that records in [published, head) hold, gaps before them
  // included: the sender is short of these until it is given credit.
  std::uint64_t payload_unpublished = 0;
  // Payloads and the rest.
  std::uint32_t idle = 0;            // visits in a row that found nothing
  std::uint32_t rank = 0;
  std::uint64_t payload_tail = 0;    // request payload ring, written here
  std::uint64_t payload_freed = 0;
  std::uint64_t payload_consumed = 0;  // request payload ring of the incoming lane, read here
  std::uint64_t reply_tail = 0;      // reply payload ring of the incoming lane, written here
  std::uint64_t reply_freed = 0;     // as the requester last said
  std::uint64_t reply_consumed = 0;  // reply payload ring of the outgoing lane, read here
  payload_marks* marks = nullptr;
  chain_queue* chain = nullptr;      // not empty while blocked & kChained
  call_state* calls = nullptr;  // under way and answered in place, the oldest first
  call_state** calls_end = &calls;
  unsigned gathering = 0;  // blocks that hold items for it; 0 unless blocked & kGathering
  lane out_lane;
  lane in_lane;
};
static_assert(offsetof(peer, port) == 64 && offsetof(peer, idle) == 128);

// One wait, from the first empty poll to its end.
struct waiting {
  const char* name;  // of the call, for the hang report
  int target = -1;  // rank waited for, -1: any; its death ends the wait
  bool any_death = true;  // the death of any rank ends the wait
  bool told_deaths = false;  // also where another wait has ended by it
  bool messages_only = false;  // nothing but a message ends it: a sleeper need not test by itself
  bool of_threads = false;  // the scheduler's, while all user-level threads wait
  peer* room_at = nullptr;  // waits for room on the way to this peer
  // Called when the wait has lasted longer than waits do if all goes well, and again after twice
  // the time. It may send, and does not wait.
  void (*overdue)(engine& by, const waiting& w) = nullptr;
  std::uint64_t overdue_after_ns = 100'000'000;
  idle_turns turns = {};
  unsigned busy = 0;  // turns that handled something, since a rank died
  bool shown = false;  // its description stands in the port line
  bool in_parts = false;  // a longer wait's part: its deadline neither ends that nor is progress
  bool hidden = false;  // inside another wait, which stays shown
  bool target_left = false;  // and was seen to have left while ranks die
  std::uint64_t since_ns = 0;
  std::uint64_t deadline_ns = 0;  // 0: none
};

}  // namespace ramjet::detail

#pragma GCC visibility pop
