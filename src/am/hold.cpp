// SPDX-License-Identifier: Apache-2.0
#include "am/hold.hpp"

#include "lane/shared_lane.hpp"

namespace ramjet::detail {

namespace {

// Whether a collective of all ranks waits for a message of that lane.
bool expects_from(const engine& e, const engine_cold& parts, const peer& p) {
  const team_state& world = *parts.collectives.world_state;
  if (p.port % e.ports_per_rank() != e.endpoint() || p.rank >= world.sources.size()) return false;
  const source& s = world.sources[p.rank];
  return s.expected && !s.complete;
}

}  // namespace

// Each request then passes find_reply_room, which asks is_held.
hold::hold(engine& e) : parts_(e.parts()) {
  parts_.holds = true;
  const unsigned ports = unsigned(e.ranks()) * e.ports_per_rank();
  for (unsigned port = 0; port < ports; ++port) e.peer_at(port).reply_room = false;
}

bool is_held(engine& e, const peer& p) {
  const std::uint64_t mask = ramjet::lane::job_shape().ring_words - 1;
  const std::uint64_t header =
      p.in[p.head & mask].load(std::memory_order_relaxed);  // taken with acquire by the caller
  const unsigned handler = handler_of(header);
  return !is_of_collectives(handler) && !expects_from(e, e.parts(), p);
}

}  // namespace ramjet::detail
