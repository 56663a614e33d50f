// SPDX-License-Identifier: Apache-2.0
// Why a job stands still: rules from the surest to the vaguest, the first that fits gives the
// sentence. For a job that moves only the rules that also hold for moving jobs are tried. Waits are
// those of ports: a rank with several endpoints waits at one and computes at another.
#include <algorithm>
#include <map>
#include <set>

#include "report/report.hpp"
#include "report/text.hpp"

namespace ramjet::report {
namespace {

using ranks_list = std::vector<unsigned>;

constexpr std::uint64_t kLongWaitNs = 1'000'000'000;

// What the rules go by, counted once.
struct findings {
  explicit findings(const job_snapshot& of);

  const job_snapshot& s;
  ranks_list absent, waiting, outside;       // outside: joined, alive, not in a Ramjet call
  std::vector<unsigned> waiting_ports;  // of the waiting ranks, without co-processors
  std::vector<std::uint64_t> unreceived;  // per rank: messages in flight to it
  std::map<std::string, ranks_list> by_call;  // as described
  std::set<std::string> calls;
};

findings::findings(const job_snapshot& of) : s(of), unreceived(of.ranks.size()) {
  for (unsigned rank = 0; rank < s.ranks.size(); ++rank) {
    const rank_view& view = s.ranks[rank];
    if (view.exited || !view.seen) continue;
    if (view.state == rank_state::absent && !view.has_come) absent.push_back(rank);
    if (view.state != rank_state::joined) continue;
    if (const port_view* wait = s.longest_wait(rank)) {
      waiting.push_back(rank);
      by_call[wait->described_call()].push_back(rank);
      calls.insert(wait->call);
    } else {
      outside.push_back(rank);
    }
  }
  for (unsigned rank : waiting)
    for (unsigned port = rank * s.endpoints; port < (rank + 1) * s.endpoints; ++port)
      if (s.waits(port) && !s.ports[port].coprocessor) waiting_ports.push_back(port);
  for (const lane_view& lane : s.lanes) unreceived[s.rank_of(lane.to)] += lane.in_flight();
}

std::string plural(const ranks_list& ranks, const char* one, const char* many) {
  return ranks_text(ranks) + (ranks.size() == 1 ? one : many);
}

// "rank 1", or "endpoint 0 of rank 1" where ranks have several.
std::string name_of(const findings& f, unsigned port) {
  const unsigned rank = f.s.rank_of(port);
  return f.s.endpoints == 1 ? text("rank %u", rank)
                            : text("endpoint %u of rank %u", port % f.s.endpoints, rank);
}

// Open at a living rank, whose thread is not in a Ramjet call there.
bool is_outside(const findings& f, unsigned port) {
  const rank_view& rank = f.s.ranks[f.s.rank_of(port)];
  return rank.seen && !rank.is_dead() && rank.state == rank_state::joined && f.s.ports[port].open &&
         !f.s.ports[port].coprocessor && !f.s.waits(port);
}

std::string stopped(const findings& f) {
  for (unsigned rank = 0; rank < f.s.ranks.size(); ++rank) {
    const rank_view& view = f.s.ranks[rank];
    if (view.exited || (view.process_state != 'T' && view.process_state != 't')) continue;
    return text("rank %u (pid %d) is stopped by a %s; `kill -CONT %d` lets it go on", rank,
                view.pid, view.process_state == 't' ? "debugger" : "signal", view.pid);
  }
  return {};
}

std::string not_all_joined(const findings& f) {
  if (f.absent.empty() || f.absent.size() == f.s.ranks.size()) return {};
  return plural(f.absent, " has", " have") +
         " not joined the job, which the others wait for: is ramjet::init called on every rank?";
}

std::string waits_for_the_gone(const findings& f) {
  for (unsigned port : f.waiting_ports) {
    const port_view& wait = f.s.ports[port];
    if (wait.target < 0) continue;
    const rank_view& target = f.s.ranks[unsigned(wait.target)];
    if (target.exited || target.state == rank_state::finalized) {
      return name_of(f, port) +
             text(" waits in %s for rank %d, which has left the job", wait.call.c_str(),
                  wait.target);
    }
  }
  return {};
}

std::string stuck_in_handler(const findings& f) {
  for (const lane_view& lane : f.s.lanes) {
    const unsigned rank = f.s.rank_of(lane.to);
    if (lane.in_handler() == 0 || f.s.ranks[rank].exited) continue;
    return text(
        "rank %u is inside the handler of a message from rank %u; nothing moves there "
        "until it returns",
        rank, f.s.rank_of(lane.from));
  }
  return {};
}

// Who has waited longest among those with a message on its way to the port; null: nobody waits.
const port_view* longest_sender(const findings& f, unsigned to, unsigned& sender) {
  const port_view* longest = nullptr;
  for (const lane_view& lane : f.s.lanes) {
    const port_view& from = f.s.ports[lane.from];
    if (lane.to != to || lane.in_flight() == 0 || !f.s.waits(lane.from) || from.coprocessor)
      continue;
    if (longest != nullptr && longest->since_ns <= from.since_ns) continue;
    longest = &from;
    sender = lane.from;
  }
  return longest;
}

std::string remedy(const findings& f, unsigned port) {
  const bool coproc = std::any_of(f.s.ports.begin(), f.s.ports.end(),
                                  [](const port_view& p) { return p.coprocessor; });
  if (coproc || port % f.s.endpoints != 0) return "; its thread has to poll";
  return "; its thread has to poll, or a co-processor (--progress=coproc) runs handlers that are "
         "coproc_safe";
}

std::string does_not_poll(const findings& f) {
  for (const lane_view& first : f.s.lanes) {
    const unsigned port = first.to;
    if (f.s.ports.empty() || first.in_flight() == 0 || !is_outside(f, port)) continue;
    std::uint64_t messages = 0;
    for (const lane_view& lane : f.s.lanes)
      if (lane.to == port) messages += lane.in_flight();
    std::string out = name_of(f, port) +
                      text(" does not poll: %llu %s there", wide(messages),
                           messages == 1 ? "message waits" : "messages wait");
    // /proc tells of the main thread, whose endpoint is 0.
    if (port % f.s.endpoints == 0)
      out += text(", and it is not in a Ramjet call (%s)",
                  f.s.ranks[f.s.rank_of(port)].process_state == 'R'
                      ? "a long computation, or an endless loop"
                      : "blocked elsewhere");
    unsigned sender = 0;
    if (const port_view* wait = longest_sender(f, port, sender))
      out += "; " + name_of(f, sender) + " has waited for it in " + wait->call + " for " +
             duration_text(f.s.now_ns - std::min(wait->since_ns, f.s.now_ns));
    return out + remedy(f, port);
  }
  return {};
}

// The port that has to act before this one's wait ends: one that has a message of it, else the
// longest waiting one of the rank waited for. -1: it cannot be told, as one of them does not wait.
int awaited_port(const findings& f, unsigned port) {
  const int target = f.s.ports[port].target;
  if (target < 0 || f.s.ranks[unsigned(target)].is_dead()) return -1;
  for (const lane_view& lane : f.s.lanes)
    if (lane.from == port && lane.in_flight() != 0 && f.s.rank_of(lane.to) == unsigned(target))
      return int(lane.to);
  int longest = -1;
  for (unsigned i = 0; i < f.s.endpoints; ++i) {
    const unsigned other = unsigned(target) * f.s.endpoints + i;
    if (is_outside(f, other)) return -1;
    if (!f.s.waits(other) || f.s.ports[other].coprocessor) continue;
    if (longest < 0 || f.s.ports[other].since_ns < f.s.ports[unsigned(longest)].since_ns)
      longest = int(other);
  }
  return longest;
}

// Ports that wait for each other in turn, found by following each wait to the port that has to act.
std::string circle(const findings& f) {
  for (unsigned start : f.waiting_ports) {
    std::vector<unsigned> path{start};
    while (path.size() <= f.s.ports.size() && f.s.waits(path.back())) {
      const int awaited = awaited_port(f, path.back());
      if (awaited < 0) break;
      const auto next = unsigned(awaited);
      const auto seen = std::find(path.begin(), path.end(), next);
      if (seen == path.end()) {
        path.push_back(next);
        continue;
      }
      std::string chain;
      for (auto i = seen; i != path.end(); ++i) chain += port_text(f.s, *i) + " -> ";
      return text("%s wait for each other in a circle: ",
                  f.s.endpoints == 1 ? "ranks" : "endpoints") +
             chain + port_text(f.s, next);
    }
  }
  return {};
}

std::string holds_a_lock(const findings& f) {
  std::map<unsigned, ranks_list> by_holder;
  for (unsigned port : f.waiting_ports) {
    const port_view& wait = f.s.ports[port];
    if (wait.call != "lock" || wait.target < 0) continue;
    ranks_list& ranks = by_holder[unsigned(wait.target)];
    if (ranks.empty() || ranks.back() != f.s.rank_of(port)) ranks.push_back(f.s.rank_of(port));
  }
  for (const auto& [holder, ranks] : by_holder) {
    if (!f.s.ranks[holder].seen) continue;
    const port_view* its_wait = f.s.longest_wait(holder);
    return text("rank %u holds a lock that ", holder) + plural(ranks, " waits", " wait") +
           " for, and " +
           (its_wait != nullptr ? "waits in " + its_wait->call : "is not in a Ramjet call");
  }
  return {};
}

std::string waits_for_the_unseen(const findings& f) {
  for (unsigned port : f.waiting_ports) {
    const port_view& wait = f.s.ports[port];
    if (wait.target < 0 || f.s.ranks[unsigned(wait.target)].seen) continue;
    return name_of(f, port) +
           text(" waits in %s for rank %d on node %u: see the report from there",
                wait.call.c_str(), wait.target, f.s.ranks[unsigned(wait.target)].node);
  }
  return {};
}

// The rank waited for is in a Ramjet call at one endpoint, and at another one it is not.
std::string waits_for_one_outside(const findings& f) {
  for (unsigned port : f.waiting_ports) {
    const port_view& wait = f.s.ports[port];
    if (wait.target < 0) continue;
    for (unsigned i = 0; i < f.s.endpoints; ++i) {
      const unsigned other = unsigned(wait.target) * f.s.endpoints + i;
      if (!is_outside(f, other) || f.s.longest_wait(unsigned(wait.target)) == nullptr) continue;
      return name_of(f, port) +
             text(" waits in %s for rank %d, whose endpoint %u is not in a Ramjet call",
                  wait.call.c_str(), wait.target, i);
    }
  }
  return {};
}

std::string where_each_waits(const findings& f) {
  std::string list;
  for (const auto& [call, ranks] : f.by_call) {
    if (!list.empty()) list += ", ";
    list += ranks_text(ranks) + " in " + call;
  }
  return list;
}

std::string others_outside(const findings& f) {
  if (f.outside.empty() || f.waiting.empty()) return {};
  return plural(f.outside, " is", " are") +
         " not in a Ramjet call while others wait: " + where_each_waits(f);
}

// Since when all of them have waited, at least.
std::uint64_t shortest_wait_ns(const findings& f) {
  std::uint64_t shortest = f.s.now_ns;
  for (unsigned rank : f.waiting) {
    const std::uint64_t since = f.s.longest_wait(rank)->since_ns;
    shortest = std::min(shortest, f.s.now_ns - std::min(since, f.s.now_ns));
  }
  return shortest;
}

std::string all_wait(const findings& f) {
  if (f.waiting.empty() || !f.outside.empty()) return {};
  const bool in_flight = std::any_of(f.unreceived.begin(), f.unreceived.end(),
                                     [](std::uint64_t messages) { return messages != 0; });
  const std::string where = where_each_waits(f);
  if (f.s.is_partial()) return "all ranks of this node wait: " + where;
  if (in_flight) return "all ranks wait although messages are in flight: " + where;
  if (f.by_call.size() > 1) {
    const char* differ = f.calls.size() > 1 ? "not in the same call: "
                                            : "some with user-level threads that wait, too: ";
    return "all ranks wait and nothing is in flight, but " + (differ + where);
  }
  // A wait that has just begun is met, perhaps, by what is sent next.
  if (shortest_wait_ns(f) < kLongWaitNs) return "all ranks wait at this moment: " + where;
  return "all ranks wait and nothing is in flight (" + where +
         "): what they wait for was never sent";
}

}  // namespace

std::string diagnosis(const job_snapshot& snapshot) {
  const findings f(snapshot);
  if (snapshot.moving) {
    for (auto* rule : {stopped, not_all_joined, waits_for_the_gone})
      if (std::string sentence = rule(f); !sentence.empty()) return sentence;
    return {};
  }
  for (auto* rule : {stopped, not_all_joined, waits_for_the_gone, stuck_in_handler, does_not_poll,
                     circle, holds_a_lock, waits_for_one_outside, others_outside,
                     waits_for_the_unseen, all_wait}) {
    if (std::string sentence = rule(f); !sentence.empty()) return sentence;
  }
  return {};
}

}  // namespace ramjet::report
