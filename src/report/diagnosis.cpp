// SPDX-License-Identifier: Apache-2.0
// Why a job stands still: rules from the surest to the vaguest, the first that fits gives the
// sentence. For a job that moves only the rules that also hold for moving jobs are tried.
#include <algorithm>
#include <map>

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
  std::vector<std::uint64_t> unreceived;  // per rank: messages in flight to it
  std::map<std::string, ranks_list> by_call;
};

findings::findings(const job_snapshot& of) : s(of), unreceived(of.ranks.size()) {
  for (unsigned rank = 0; rank < s.ranks.size(); ++rank) {
    const rank_view& view = s.ranks[rank];
    if (view.exited || !view.seen) continue;
    if (view.state == rank_state::absent && !view.has_come) absent.push_back(rank);
    if (view.state != rank_state::joined) continue;
    if (const port_view* wait = s.longest_wait(rank)) {
      waiting.push_back(rank);
      by_call[wait->call].push_back(rank);
    } else {
      outside.push_back(rank);
    }
  }
  for (const lane_view& lane : s.lanes) unreceived[s.rank_of(lane.to)] += lane.in_flight();
}

std::string plural(const ranks_list& ranks, const char* one, const char* many) {
  return ranks_text(ranks) + (ranks.size() == 1 ? one : many);
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
  for (unsigned rank : f.waiting) {
    const port_view& wait = *f.s.longest_wait(rank);
    if (wait.target < 0) continue;
    const rank_view& target = f.s.ranks[unsigned(wait.target)];
    if (target.exited || target.state == rank_state::finalized) {
      return text("rank %u waits in %s for rank %d, which has left the job", rank,
                  wait.call.c_str(), wait.target);
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

std::string does_not_poll(const findings& f) {
  for (unsigned rank : f.outside) {
    if (f.unreceived[rank] == 0) continue;
    return text("rank %u does not poll: %llu %s there, and it is not in a Ramjet call (%s)", rank,
                static_cast<unsigned long long>(f.unreceived[rank]),
                f.unreceived[rank] == 1 ? "message waits" : "messages wait",
                f.s.ranks[rank].process_state == 'R' ? "a long computation, or an endless loop"
                                                     : "blocked elsewhere");
  }
  return {};
}

// Ranks that wait for each other in turn, found by following each wait to its target.
std::string circle(const findings& f) {
  for (unsigned start : f.waiting) {
    ranks_list path{start};
    while (path.size() <= f.s.ranks.size()) {
      const port_view* wait = f.s.longest_wait(path.back());
      if (wait == nullptr || wait->target < 0) break;
      const auto next = unsigned(wait->target);
      const auto seen = std::find(path.begin(), path.end(), next);
      if (seen == path.end()) {
        path.push_back(next);
        continue;
      }
      std::string chain;
      for (auto i = seen; i != path.end(); ++i) chain += text("%u -> ", *i);
      return text("ranks wait for each other in a circle: %s%u", chain.c_str(), next);
    }
  }
  return {};
}

std::string holds_a_lock(const findings& f) {
  std::map<unsigned, ranks_list> by_holder;
  for (unsigned rank : f.waiting) {
    const port_view& wait = *f.s.longest_wait(rank);
    if (wait.call == "lock" && wait.target >= 0) by_holder[unsigned(wait.target)].push_back(rank);
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
  for (unsigned rank : f.waiting) {
    const port_view& wait = *f.s.longest_wait(rank);
    if (wait.target < 0 || f.s.ranks[unsigned(wait.target)].seen) continue;
    return text("rank %u waits in %s for rank %d on node %u: see the report from there", rank,
                wait.call.c_str(), wait.target, f.s.ranks[unsigned(wait.target)].node);
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
    return "all ranks wait and nothing is in flight, but not in the same call: " + where;
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
                     circle, holds_a_lock, others_outside, waits_for_the_unseen, all_wait}) {
    if (std::string sentence = rule(f); !sentence.empty()) return sentence;
  }
  return {};
}

}  // namespace ramjet::report
