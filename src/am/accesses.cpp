// SPDX-License-Identifier: Apache-2.0
#include "am/accesses.hpp"

#include "am/chain.hpp"
#include "am/coproc.hpp"
#include "am/engine_cold.hpp"
#include "job/join.hpp"
#include "lane/shared_lane.hpp"

namespace ramjet::detail {

unsigned server_of(engine& e, unsigned rank) noexcept {
  const std::vector<unsigned>& servers = e.parts().servers;
  if (servers.empty() || job::is_gone(rank)) return rank;
  if (job::is_gone(servers[rank])) choose_servers(e);
  return servers[rank];
}

void choose_servers(engine& e) {
  if (!one_serves_node()) return;
  const job::membership& m = job::self();
  std::vector<unsigned> first(m.nodes, m.ranks);  // by node
  std::vector<unsigned>& servers = e.parts().servers;
  servers.resize(m.ranks);
  for (unsigned r = 0; r < m.ranks; ++r) {
    unsigned& server = first[m.node_of[r]];
    if (server == m.ranks && !job::is_gone(r)) server = r;
    servers[r] = server != m.ranks ? server : r;
  }
}

peer* find_access_peer(engine& e, unsigned server) {
  if (job::self().settings.by_handlers) return nullptr;
  peer* p = e.find_for_coprocessor(int(server), 0);
  return e.parts().network->takes_accesses(p->port) ? p : nullptr;
}

bool fetches(engine& e, peer& p) { return !e.in_handler() && e.parts().network->fetches(p.port); }

status begin_access(engine& e, peer& p, const channel::access& a, bool counted) {
  channel::channel& network = *e.parts().network;
  auto answer = channel::access_start::full;
  const auto taken = [&] {  // a wait may call this again after it was
    if (answer == channel::access_start::full)
      answer = network.begin_access(p.port, a, e.in_handler());
    return answer != channel::access_start::full;
  };
  if (is_dead(e, p.rank)) return status::peer_failed;
  const bool at_once = taken();
  if (e.in_handler()) check_waiting_bytes(e.parts());
  e.pump_soon();
  if (!at_once) {
    waiting w{.name = "access (the lane is full)",
              .target = int(p.rank),
              .any_death = false,  // answers to its other parts may be on their way
              .messages_only = true};
    if (const status s = e.wait(w, taken); s != status::ok) return s;
  }
  if (answer == channel::access_start::no_fetch) return status::retry;
  if (counted && !a.fetch) bump(p.count->requests_sent);  // no owner counts what is fetched
  return status::ok;
}

void count_answered(engine& e, unsigned port) noexcept {
  pair_counters& c = *e.peer_at(port).count;
  bump(c.replies_received);
  bump(c.replies_handled);
}

void count_served(unsigned port, channel::server by) noexcept {
  if (by == channel::server::second_thread) {
    const unsigned own = unsigned(job::self().rank) * job::self().layout.endpoints;
    bump(ramjet::lane::served_by_second_thread(own, port));
    return;
  }
  pair_counters& c = *current_engine->peer_at(port).count;
  bump(c.requests_received);
  bump(c.requests_handled);
  bump(c.replies_sent);
}

}  // namespace ramjet::detail
