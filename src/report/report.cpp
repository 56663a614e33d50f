// SPDX-License-Identifier: Apache-2.0
#include "report/report.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "report/text.hpp"

namespace ramjet::report {
namespace {

constexpr std::size_t kPortRowsMax = 64;  // above that, ports that do the same share a row
constexpr std::size_t kLaneRowsMax = 64;

const char* text_of_process_state(char state) {
  switch (state) {
    case 'S':
      return "asleep outside Ramjet";
    case 'D':
      return "in the kernel: disk or network?";
    case 'T':
      return "stopped by a signal";
    case 't':
      return "stopped by a debugger";
    case 'Z':
      return "ending";
    default:
      return "computing?";
  }
}

// What a rank does that does not wait in a Ramjet call.
std::string state_text(const rank_view& rank) {
  if (!rank.seen && rank.state == rank_state::joined) return "not seen from this node";
  switch (rank.state) {
    case rank_state::absent:
      if (rank.exited) return "exited before it joined";
      return rank.has_come ? "waits for the others to join" : "has not joined yet";
    case rank_state::joined:
      if (rank.exited) return "exited";
      return text("not in a Ramjet call (%s)", text_of_process_state(rank.process_state));
    case rank_state::finalized:
      return rank.exited ? "finalized, exited" : "finalized";
    case rank_state::failed:
      return "failed";
  }
  return "unknown";
}

bool handles_a_message(const job_snapshot& s, unsigned port) {
  return std::any_of(s.lanes.begin(), s.lanes.end(),
                     [port](const lane_view& l) { return l.to == port && l.in_handler() > 0; });
}

// One row of the table of ranks: what one or several ports do.
struct row {
  std::string what, whom;
  std::vector<unsigned> ports;
  std::uint64_t waited_least_ns = 0, waited_most_ns = 0;
};

row row_of(const job_snapshot& s, unsigned rank, unsigned port) {
  row r;
  r.ports = {port};
  const bool shows = !s.ports.empty() && !s.ranks[rank].is_dead();
  if (shows && s.ports[port].coprocessor) {
    r.what = handles_a_message(s, port) ? "co-processor, inside a handler" : "co-processor";
  } else if (shows && s.waits(port)) {
    const port_view& p = s.ports[port];
    r.what = "waits in " + p.described_call();
    if (handles_a_message(s, port)) r.what += ", inside a handler";
    r.whom = p.target < 0 ? "any" : text("rank %d", p.target);
    r.waited_least_ns = r.waited_most_ns = s.now_ns - std::min(p.since_ns, s.now_ns);
  } else {
    r.what = state_text(s.ranks[rank]);
  }
  return r;
}

bool is_waited_for(const job_snapshot& s, unsigned rank) {
  for (unsigned port = 0; port < s.ports.size(); ++port)
    if (s.waits(port) && s.ports[port].target == int(rank)) return true;
  return false;
}

// A row for every open port, and for every rank that has none, but for those that are neither seen
// nor waited for.
std::vector<row> rows_of(const job_snapshot& s) {
  std::vector<row> rows;
  for (unsigned rank = 0; rank < s.ranks.size(); ++rank) {
    if (!s.ranks[rank].seen && !is_waited_for(s, rank)) continue;
    const std::size_t before = rows.size();
    for (unsigned i = 0; i < s.endpoints && !s.ports.empty(); ++i) {
      const unsigned port = rank * s.endpoints + i;
      if (s.ports[port].open) rows.push_back(row_of(s, rank, port));
    }
    if (rows.size() == before) rows.push_back(row_of(s, rank, rank * s.endpoints));
  }
  if (rows.size() <= kPortRowsMax) return rows;
  std::map<std::pair<std::string, std::string>, row> same;
  for (row& r : rows) {
    auto [at, fresh] = same.try_emplace({r.what, r.whom}, r);
    if (fresh) continue;
    at->second.ports.push_back(r.ports[0]);
    at->second.waited_least_ns = std::min(at->second.waited_least_ns, r.waited_least_ns);
    at->second.waited_most_ns = std::max(at->second.waited_most_ns, r.waited_most_ns);
  }
  rows.clear();
  for (auto& [key, r] : same) rows.push_back(std::move(r));
  std::sort(rows.begin(), rows.end(),
            [](const row& a, const row& b) { return a.ports.size() < b.ports.size(); });
  return rows;
}

// Where the ports of a row are: "2", or "0-3" for what several nodes do alike.
std::string nodes_text(const job_snapshot& s, const row& r) {
  unsigned first = s.nodes, last = 0;
  for (unsigned port : r.ports) {
    const unsigned node = s.ranks[s.rank_of(port)].node;
    first = std::min(first, node);
    last = std::max(last, node);
  }
  return first == last ? std::to_string(first) : text("%u-%u", first, last);
}

std::string rank_table(const job_snapshot& s) {
  const auto node_column = [&s](const std::string& what) {  // of a job on one node there is none
    return s.nodes == 1 ? std::string() : text("%-7s ", what.c_str());
  };
  std::string out = text("  %-10s %s%-8s %-44s %-9s %s\n", s.endpoints == 1 ? "rank" : "rank.port",
                         node_column("node").c_str(), "pid", "state", "waits for", "how long");
  for (const row& r : rows_of(s)) {
    std::string who = port_text(s, r.ports[0]), pid;
    if (r.ports.size() > 1) {
      std::vector<unsigned> ranks;
      for (unsigned port : r.ports) ranks.push_back(s.rank_of(port));
      ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
      who = ranks_text(ranks);
    } else if (const rank_view& rank = s.ranks[s.rank_of(r.ports[0])]; rank.seen) {
      pid = text("%d", rank.pid);
    }
    std::string how_long;
    if (!r.whom.empty()) {
      how_long = duration_text(r.waited_least_ns);
      const std::string most = duration_text(r.waited_most_ns);
      if (most != how_long) how_long += " to " + most;
    }
    std::string line =
        text("  %-10s %s%-8s %-44s %-9s %s", who.c_str(), node_column(nodes_text(s, r)).c_str(),
             pid.c_str(), r.what.c_str(), r.whom.c_str(), how_long.c_str());
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

// Totals of all lanes both of whose ends are seen, as an equation; empty if there is none.
std::string reconciliation(const job_snapshot& s) {
  std::uint64_t sent = 0, received = 0, handled = 0, in_flight = 0, in_handler = 0, chained = 0;
  unsigned whole = 0;
  for (const lane_view& l : s.lanes) {
    if (!l.is_whole()) continue;
    ++whole;
    sent += l.sent();
    received += l.received();
    handled += l.handled();
    in_flight += l.in_flight();
    in_handler += l.in_handler();
    chained += l.chained;
  }
  if (whole == 0) return {};
  std::string out = text(
      "  in all%s: %llu sent = %llu received + %llu in flight; %llu received = %llu handled + %llu "
      "in a handler; %llu chained at their senders\n",
      s.is_partial() ? " within the node" : "", wide(sent), wide(received), wide(in_flight),
      wide(received), wide(handled), wide(in_handler), wide(chained));
  if (sent != received + in_flight || received != handled + in_handler) {
    out += s.moving ? "  (the job moves: these counters were not read at one moment)\n"
                    : "  (these counters do not reconcile: a rank's memory may be damaged)\n";
  }
  return out;
}

std::string lane_row(const job_snapshot& s, const lane_view& l) {
  const auto number = [](bool known, std::uint64_t n) {
    return known ? std::to_string(n) : std::string("?");
  };
  const auto sent = [&](std::uint64_t n) { return number(l.from_seen, n); };
  const auto taken = [&](std::uint64_t n) { return number(l.to_seen, n); };
  return text("  %5s -> %-5s %10s %10s %10s %10s %10s %10s %9s %10s %8s\n",
              port_text(s, l.from).c_str(), port_text(s, l.to).c_str(),
              sent(l.requests_sent).c_str(), taken(l.requests_received).c_str(),
              taken(l.requests_handled).c_str(), sent(l.replies_sent).c_str(),
              taken(l.replies_received).c_str(), taken(l.replies_handled).c_str(),
              number(l.is_whole(), l.in_flight()).c_str(), taken(l.in_handler()).c_str(),
              sent(l.chained).c_str());
}

std::string lane_table(const job_snapshot& s) {
  if (s.lanes.empty()) return "  no messages were sent\n";
  std::vector<lane_view> lanes = s.lanes;
  std::stable_sort(lanes.begin(), lanes.end(), [](const lane_view& a, const lane_view& b) {
    return a.in_flight() + a.in_handler() + a.chained > b.in_flight() + b.in_handler() + b.chained;
  });
  std::string out = text("  %-14s %-32s %s\n", "messages", "requests", "replies") +
                    text("  %5s -> %-5s %10s %10s %10s %10s %10s %10s %9s %10s %8s\n", "from", "to",
                         "sent", "received", "handled", "sent", "received", "handled", "in flight",
                         "in handler", "chained");
  for (std::size_t i = 0; i < std::min(lanes.size(), kLaneRowsMax); ++i) {
    out += lane_row(s, lanes[i]);
  }
  if (lanes.size() > kLaneRowsMax) {
    out += text("  ... and %zu more pairs with traffic, none with more in flight\n",
                lanes.size() - kLaneRowsMax);
  }
  return out + reconciliation(s);
}

}  // namespace

std::string port_text(const job_snapshot& s, unsigned port) {
  return s.endpoints == 1 ? std::to_string(port)
                          : text("%u.%u", port / s.endpoints, port % s.endpoints);
}

std::string hang_report(const job_snapshot& snapshot, const std::string& headline) {
  std::string out = "ramjet: " + headline + "\n" + rank_table(snapshot);
  if (!snapshot.ports.empty()) out += lane_table(snapshot);
  if (const std::string why = diagnosis(snapshot); !why.empty()) {
    out += "  likely: " + why + "\n";
  } else if (snapshot.moving) {
    out += "  the job moves: ranks have sent, received or ended calls meanwhile\n";
  }
  return out;
}

std::string who_waited_for(const job_snapshot& snapshot, unsigned rank) {
  const port_view* longest = nullptr;
  unsigned waiter = 0, waiters = 0;
  bool for_it = false;
  for (unsigned r = 0; r < snapshot.ranks.size(); ++r) {
    const port_view* wait = r == rank ? nullptr : snapshot.longest_wait(r);
    if (wait == nullptr) continue;
    ++waiters;
    const bool this_for_it = wait->target == int(rank);  // named before those who wait for any
    if (longest == nullptr || (this_for_it && !for_it) ||
        (this_for_it == for_it && wait->since_ns < longest->since_ns)) {
      longest = wait;
      waiter = r;
      for_it = this_for_it;
    }
  }
  if (longest == nullptr) return {};
  const std::uint64_t waited_ns = snapshot.now_ns - std::min(longest->since_ns, snapshot.now_ns);
  std::string out = text("rank %u was waiting %sin %s for %s", waiter, for_it ? "for it " : "",
                         longest->described_call().c_str(), duration_text(waited_ns).c_str());
  if (waiters == 2) out += ", and one other waited";
  if (waiters > 2) out += text(", and %u others waited", waiters - 1);
  return out;
}

std::string who_waited(const job_snapshot& snapshot) {
  constexpr unsigned kNamedMax = 4;
  std::string out;
  unsigned named = 0, left = 0;
  for (unsigned rank = 0; rank < snapshot.ranks.size(); ++rank) {
    if (snapshot.ranks[rank].exited) continue;
    if (named == kNamedMax) {
      ++left;
      continue;
    }
    if (named++ > 0) out += ", ";
    out += text("rank %u ", rank);
    if (const port_view* wait = snapshot.longest_wait(rank)) {
      const std::string whom = wait->target < 0 ? "" : text("for rank %d ", wait->target);
      const std::uint64_t waited_ns = snapshot.now_ns - std::min(wait->since_ns, snapshot.now_ns);
      out += text("was waiting %sin %s for %s", whom.c_str(), wait->described_call().c_str(),
                  duration_text(waited_ns).c_str());
    } else if (snapshot.ranks[rank].state == rank_state::joined) {
      out += "was not in a Ramjet call";
    } else if (snapshot.ranks[rank].state == rank_state::finalized) {
      out += "had finalized";
    } else {
      out += "had not joined the job";
    }
  }
  if (left > 0) out += text(", and %u more", left);
  return out;
}

}  // namespace ramjet::report
