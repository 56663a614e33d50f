// SPDX-License-Identifier: Apache-2.0
// What an engine owns beyond the hot path: its channel, its row of bells, the dead, the limit of
// its chains, the state of collectives.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "am/aggregation.hpp"
#include "am/chain.hpp"
#include "am/collective_state.hpp"
#include "base/backoff.hpp"
#include "channel/channel.hpp"
#include "ramjet/am.hpp"
#include "trace/recorder.hpp"

namespace ramjet::detail {

struct engine_cold {
  std::unique_ptr<channel::channel> network;
  bool pumps = false;
  std::uint64_t pump_every = 1;      // polls; a power of two
  std::uint64_t polls_unpumped = 0;  // since the last pump
  std::uint64_t pumped_ns = 0;       // when that was; 0: not known
  // Of the channel. Its own thread writes it, the mesh's reads it (am/serving.hpp): no order.
  std::atomic<std::uint32_t> pumps_made = 0;
  std::atomic<std::uint64_t>* bells = nullptr;  // this port's row of bells, eight to a word
  std::vector<bool> rank_dead;                  // as noted by this engine
  std::vector<unsigned> servers;                // of accesses to a rank's memory; empty: itself
  std::uint32_t failures_seen = 0;  // the board's count, perhaps before these are noted
  std::uint64_t failures_seen_at_poll = 0;      // engine's count then
  std::vector<bool> rank_left;                  // after somebody's death: it answers no more
  std::uint64_t chain_limit_bytes = 0;
  std::unique_ptr<block_tables> blocks;
  item_block** open_blocks(unsigned handlers, unsigned ports) {
    blocks = std::make_unique<block_tables>(handlers, ports);
    return blocks->by_handler();
  }
  unsigned sweep = 0;                           // next port to visit without a bell
  unsigned renewal = 0;                         // next active peer whose credit may be old
  mutable unsigned audited = 0;                 // next peer to audit, in builds that do
  base::cpu_usage turns;
  std::uint64_t yielded_at_poll = 0;            // engine's count when it yielded or had news
  bool closed_peers_allowed = false;            // while such a class lives
  // Where the job goes on after deaths: an endpoint on another node that has refused messages.
  struct refusal {
    const peer* by;
    std::uint64_t seen_ns;
    bool told;  // a line says so
  };
  std::vector<refusal> refusals;
  unsigned failed_tries = 0;  // since a failed try yielded; see note_failed_try
  unsigned spawned = 0;  // threads of messages that have not ended
  struct {
    int source = -1;  // the rank that requested it
    const char* handler = nullptr;  // null: none was
  } dropped;  // a thread_token that went away in an exception, whose thread has not ended yet
  collective_state collectives;
  bool holds = false;  // polls leave the program's requests in their lanes (hold.hpp)
  unsigned access_messages = 0;  // accesses of which a message is on its way into a lane
  std::unique_ptr<trace::recorder> recorder;  // null: the job is not traced
  // The program's, where the engine's own note a message and run its handler.
  handler_table own_requests, own_replies;
  struct {
    const peer* of = nullptr;
    std::uint64_t poll = 0;  // engine's count
    std::uint64_t first = 0;  // the peer's count of its first request
  } visit;  // of a traced job, the latest one with requests that are told
};

// A peer that has closed its endpoint may be sent to: the sender could not know.
class closed_peers_allowed {
 public:
  explicit closed_peers_allowed(engine_cold& parts) : allowed_(parts.closed_peers_allowed) {
    allowed_ = true;
  }
  closed_peers_allowed(const closed_peers_allowed&) = delete;
  closed_peers_allowed& operator=(const closed_peers_allowed&) = delete;
  ~closed_peers_allowed() { allowed_ = false; }

 private:
  bool& allowed_;
};

// Whether any death ends a wait for room: a collective fails as a whole. An access goes on while
// its rank lives: answers to the parts of it that were sent will come.
inline bool any_death_ends(const engine_cold& x) noexcept {
  return x.collectives.name != nullptr && x.access_messages == 0;
}

// A look at the network between two pieces of work: however many of these find nothing, the
// processor is not yielded, as polls do that wait for something.
inline unsigned poll_at_work(engine& e) {
  e.parts().yielded_at_poll = e.polls();
  return e.poll_and_yield();
}

// Whether the engine has noted the rank's death.
inline bool is_dead(engine& e, unsigned rank) noexcept { return e.parts().rank_dead[rank]; }
// Ends the awaited calls with peer_failed: their endpoint takes no more answers.
void fail_awaited_calls(engine& e);

}  // namespace ramjet::detail
