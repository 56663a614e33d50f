// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/analysis.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

namespace traces {

namespace {

// A wait that somebody else's message ended, or that ended when the last member came.
struct caused_wait {
  std::uint64_t begin_ns = 0, end_ns = 0;
  std::uint32_t cause_rank = 0;
  std::uint64_t cause_ns = 0;  // when it was sent, or when the member came
  std::uint64_t arrival_ns = 0;
  std::uint32_t name = 0;
};

// Stretches of time, and whether one of them lies within another stretch. Only those are kept that
// hold no other: their ends grow with their begins.
class innermost_stretches {
 public:
  void add(std::uint64_t begin_ns, std::uint64_t end_ns) {
    const auto after = ends_.lower_bound(begin_ns);
    if (after != ends_.end() && after->second <= end_ns) return;
    auto at = ends_.insert_or_assign(begin_ns, end_ns).first;
    while (at != ends_.begin() && std::prev(at)->second >= end_ns) ends_.erase(std::prev(at));
  }
  bool has_within(std::uint64_t begin_ns, std::uint64_t end_ns) const {
    const auto first = ends_.lower_bound(begin_ns);
    return first != ends_.end() && first->second <= end_ns;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;  // by begin
};

class analyst {
 public:
  explicit analyst(const job_trace& job) : job_(job) {}
  trace_analysis analyse();

 private:
  using event = trace_event;

  std::uint64_t port_of(const event& e) const {
    return std::uint64_t{e.rank} * job_.endpoints + e.endpoint;
  }
  void index_flows();
  void index_handlers();
  void index_signals();
  void count();
  void find_causes();
  bool find_message(const event& wait, caused_wait& cause) const;
  bool is_for_signal(const event& wait) const;
  bool find_signal(const event& wait, caused_wait& cause) const;
  void find_last_comers();
  void add_cause(std::uint32_t rank, const caused_wait& cause);
  void find_longest();
  void follow_path();
  const event* sender_of(const event& handler) const;
  std::uint64_t end_of(const event& e) const { return e.end_ns == kNoEnd ? last_ns_ : e.end_ns; }

  const job_trace& job_;
  trace_analysis out_;
  std::uint64_t first_ns_ = kNoEnd, last_ns_ = 0;
  std::uint32_t last_rank_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> senders_;  // by flow
  // By port, in order of time: handlers of messages that another rank is known to have sent.
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> handlers_;
  std::vector<std::vector<std::size_t>> signals_;  // by the rank signalled, in order of time
  std::vector<std::vector<caused_wait>> caused_;  // by rank, in order of their arrivals
};

template <class Row>
void longest_first(std::vector<Row>& rows, std::uint64_t Row::* by) {
  std::stable_sort(rows.begin(), rows.end(),
                   [by](const Row& a, const Row& b) { return a.*by > b.*by; });
}

template <class Row>
std::vector<Row> rows_of(std::map<std::string, Row>& by_name, std::uint64_t Row::* by) {
  std::vector<Row> rows;
  for (auto& [name, row] : by_name) {
    row.name = name;
    rows.push_back(row);
  }
  longest_first(rows, by);
  return rows;
}

// A later send at the same place took the place of one that was given up.
void analyst::index_flows() {
  caused_.resize(job_.ranks);
  for (std::size_t i = 0; i < job_.events.size(); ++i) {
    const event& e = job_.events[i];
    if (e.flow != 0) senders_[e.flow] = i;
    first_ns_ = std::min(first_ns_, e.begin_ns);
    const std::uint64_t end_ns = e.end_ns == kNoEnd ? e.begin_ns : e.end_ns;
    if (end_ns >= last_ns_) {
      last_ns_ = end_ns;
      last_rank_ = e.rank;
    }
  }
  if (first_ns_ == kNoEnd) return;
  out_.first_ns = first_ns_;
  out_.duration_ns = last_ns_ - first_ns_;
}

void analyst::index_signals() {
  signals_.resize(job_.ranks);
  for (std::size_t i = 0; i < job_.events.size(); ++i) {
    const event& e = job_.events[i];
    const bool is_signal = e.kind == trace_kind::access && job_.names[e.name] == "signal";
    if (is_signal && e.peer >= 0 && std::uint32_t(e.peer) < job_.ranks &&
        std::uint32_t(e.peer) != e.rank)
      signals_[std::size_t(e.peer)].push_back(i);
  }
  for (std::vector<std::size_t>& to_rank : signals_)
    std::stable_sort(to_rank.begin(), to_rank.end(), [this](std::size_t a, std::size_t b) {
      return job_.events[a].begin_ns < job_.events[b].begin_ns;
    });
}

void analyst::index_handlers() {
  for (std::size_t i = 0; i < job_.events.size(); ++i) {
    const event& e = job_.events[i];
    if (e.kind != trace_kind::handler && e.kind != trace_kind::reply) continue;
    const event* const sent = sender_of(e);
    if (sent != nullptr && sent->rank != e.rank) handlers_[port_of(e)].push_back(i);
  }
  for (auto& [port, of_port] : handlers_)  // of several threads
    std::stable_sort(of_port.begin(), of_port.end(), [this](std::size_t a, std::size_t b) {
      return job_.events[a].begin_ns < job_.events[b].begin_ns;
    });
}

const trace_event* analyst::sender_of(const event& handler) const {
  const auto at = senders_.find(handler.end_of_flow);
  return handler.end_of_flow == 0 || at == senders_.end() ? nullptr : &job_.events[at->second];
}

void analyst::count() {
  std::map<std::string, handler_row> handlers;
  std::map<std::string, wait_row> waits, collectives;
  for (const event& e : job_.events) {
    switch (e.kind) {
      case trace_kind::send:
        ++out_.sends;
        break;
      case trace_kind::thread:
        ++out_.switches;
        break;
      case trace_kind::access:
        ++out_.accesses;
        if (e.peer >= 0) {
          pair_row& pair = out_.pairs[{e.rank, std::uint32_t(e.peer)}];
          ++pair.messages;
          pair.bytes += e.bytes;
        }
        break;
      case trace_kind::handler:
      case trace_kind::reply: {
        ++out_.handled;
        handler_row& row = handlers[job_.names[e.name]];
        ++row.messages;
        row.bytes += e.bytes;
        row.busy_ns += end_of(e) - e.begin_ns;
        if (e.peer >= 0) {
          pair_row& pair = out_.pairs[{std::uint32_t(e.peer), e.rank}];
          ++pair.messages;
          pair.bytes += e.bytes;
        }
        if (const event* sent = sender_of(e); sent != nullptr) {
          const std::uint64_t flight =
              e.begin_ns > sent->begin_ns ? e.begin_ns - sent->begin_ns : 0;
          ++row.joined;
          row.flight_ns += flight;
          row.flight_ns_max = std::max(row.flight_ns_max, flight);
        }
        break;
      }
      case trace_kind::wait:
      case trace_kind::collective: {
        if (e.is_inner) break;
        wait_row& row = (e.kind == trace_kind::wait ? waits : collectives)[job_.names[e.name]];
        const std::uint64_t took = end_of(e) - e.begin_ns;
        ++row.waits;
        row.total_ns += took;
        if (took >= row.longest_ns) {
          row.longest_ns = took;
          row.longest_rank = e.rank;
        }
        break;
      }
    }
  }
  out_.handlers = rows_of(handlers, &handler_row::busy_ns);
  out_.waits = rows_of(waits, &wait_row::total_ns);
  out_.collectives = rows_of(collectives, &wait_row::total_ns);
}

// The last message that was handled in the wait, if it was sent after the wait had begun.
bool analyst::find_message(const event& wait, caused_wait& cause) const {
  const auto found = handlers_.find(port_of(wait));
  if (found == handlers_.end()) return false;
  const std::vector<std::size_t>& all = found->second;
  const std::uint64_t end_ns = end_of(wait);
  const auto after =
      std::upper_bound(all.begin(), all.end(), end_ns,
                       [this](auto ns, std::size_t i) { return ns < job_.events[i].begin_ns; });
  if (after == all.begin()) return false;
  const event& handler = job_.events[*(after - 1)];
  const event& sent = *sender_of(handler);
  if (sent.begin_ns <= wait.begin_ns || sent.begin_ns > handler.begin_ns) return false;
  cause = {wait.begin_ns, end_ns, sent.rank, sent.begin_ns, handler.begin_ns, handler.name};
  return true;
}

bool analyst::is_for_signal(const event& wait) const {
  return wait.kind == trace_kind::wait && job_.names[wait.name] == "wait_signal";
}

// The last signal to the rank before the wait ended, if its sender began it after the wait began.
bool analyst::find_signal(const event& wait, caused_wait& cause) const {
  const std::vector<std::size_t>& all = signals_[wait.rank];
  const std::uint64_t end_ns = end_of(wait);
  const auto after =
      std::upper_bound(all.begin(), all.end(), end_ns,
                       [this](auto ns, std::size_t i) { return ns < job_.events[i].begin_ns; });
  if (after == all.begin()) return false;
  const event& sent = job_.events[*(after - 1)];
  if (sent.begin_ns <= wait.begin_ns) return false;
  cause = {wait.begin_ns, end_ns, sent.rank, sent.begin_ns, end_ns, sent.name};
  return true;
}

void analyst::add_cause(std::uint32_t rank, const caused_wait& cause) {
  caused_[rank].push_back(cause);
  late_row& row = out_.late[cause.cause_rank];
  ++row.waits;
  row.total_ns += cause.cause_ns - cause.begin_ns;
}

// Members that meet at a counter send no message: who came last is who was waited for.
void analyst::find_last_comers() {
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::size_t>> calls;
  for (std::size_t i = 0; i < job_.events.size(); ++i) {
    const event& e = job_.events[i];
    if (e.kind == trace_kind::collective && e.call != 0 && !e.is_inner)
      calls[{e.call, e.endpoint}].push_back(i);
  }
  std::vector<innermost_stretches> known(job_.ranks);
  for (std::uint32_t rank = 0; rank < job_.ranks; ++rank)
    for (const caused_wait& c : caused_[rank]) known[rank].add(c.begin_ns, c.end_ns);
  for (const auto& [call, members] : calls) {
    const event& last = job_.events[*std::max_element(
        members.begin(), members.end(), [this](std::size_t a, std::size_t b) {
          return job_.events[a].begin_ns < job_.events[b].begin_ns;
        })];
    for (const std::size_t i : members) {
      const event& e = job_.events[i];
      const std::uint64_t end_ns = end_of(e);
      if (e.rank == last.rank || last.begin_ns <= e.begin_ns || last.begin_ns >= end_ns) continue;
      if (known[e.rank].has_within(e.begin_ns, end_ns)) continue;
      known[e.rank].add(e.begin_ns, end_ns);
      add_cause(e.rank, {e.begin_ns, end_ns, last.rank, last.begin_ns, end_ns, e.name});
    }
  }
}

void analyst::find_causes() {
  out_.late.resize(job_.ranks);
  for (std::uint32_t rank = 0; rank < job_.ranks; ++rank) out_.late[rank].rank = rank;
  for (const event& e : job_.events) {
    caused_wait cause;
    if (e.kind != trace_kind::wait || e.is_inner) continue;
    const bool for_signal = is_for_signal(e);
    if ((for_signal && find_signal(e, cause)) || find_message(e, cause))
      add_cause(e.rank, cause);
    else if (for_signal && signals_[e.rank].empty())
      ++out_.unexplained_signals;
  }
  find_last_comers();
  std::erase_if(out_.late, [](const late_row& row) { return row.waits == 0; });
  longest_first(out_.late, &late_row::total_ns);
  for (std::vector<caused_wait>& of_rank : caused_)
    std::stable_sort(
        of_rank.begin(), of_rank.end(),
        [](const caused_wait& a, const caused_wait& b) { return a.arrival_ns < b.arrival_ns; });
}

void analyst::find_longest() {
  constexpr std::size_t kLongest = 16;
  std::vector<const event*> waits;
  for (const event& e : job_.events)
    if (e.kind == trace_kind::wait && !e.is_inner) waits.push_back(&e);
  const auto took = [this](const event* e) { return end_of(*e) - e->begin_ns; };
  const auto last = waits.begin() + std::ptrdiff_t(std::min(kLongest, waits.size()));
  std::partial_sort(waits.begin(), last, waits.end(), [&](const event* a, const event* b) {
    return std::pair(took(a), b) > std::pair(took(b), a);  // of equals the first one
  });
  waits.erase(last, waits.end());
  for (const event* e : waits) {
    long_wait wait{job_.names[e->name], e->rank, e->endpoint, e->begin_ns, end_of(*e)};
    wait.for_signal = is_for_signal(*e);
    for (const caused_wait& c : caused_[e->rank])  // of the wait, or of the collective around it
      if (c.begin_ns <= wait.begin_ns && c.end_ns >= wait.end_ns && c.cause_ns > wait.begin_ns) {
        wait.cause_rank = std::int32_t(c.cause_rank);
        wait.late_ns = c.cause_ns - wait.begin_ns;
        break;
      }
    out_.longest.push_back(wait);
  }
}

// From the job's end backwards: what the rank did since the last wait that another one ended, then
// that other one, from when it had sent.
void analyst::follow_path() {
  out_.path_ns.resize(job_.ranks);
  if (job_.events.empty()) return;
  std::uint32_t rank = last_rank_;
  std::uint64_t until_ns = last_ns_;
  std::string sent = "the end";
  for (;;) {
    const std::vector<caused_wait>& waits = caused_[rank];
    auto after =
        std::upper_bound(waits.begin(), waits.end(), until_ns,
                         [](std::uint64_t ns, const caused_wait& w) { return ns < w.arrival_ns; });
    while (after != waits.begin() && (after - 1)->cause_ns >= until_ns) --after;
    const bool is_first = after == waits.begin();
    const std::uint64_t from_ns =
        is_first ? first_ns_ : std::min((after - 1)->arrival_ns, until_ns);
    out_.path.push_back({rank, from_ns, until_ns, sent});
    out_.path_ns[rank] += until_ns - from_ns;
    if (is_first) break;
    const caused_wait& wait = *(after - 1);
    out_.path_flight_ns += from_ns - wait.cause_ns;
    rank = wait.cause_rank;
    until_ns = wait.cause_ns;
    sent = job_.names[wait.name];
  }
  std::reverse(out_.path.begin(), out_.path.end());
}

trace_analysis analyst::analyse() {
  index_flows();
  index_handlers();
  index_signals();
  count();
  find_causes();
  find_longest();
  follow_path();
  return std::move(out_);
}

}  // namespace

trace_analysis analyse(const job_trace& job) { return analyst(job).analyse(); }

std::string near_accesses_hint(const trace_analysis& a) {
  if (a.unexplained_signals == 0) return {};
  return std::to_string(a.unexplained_signals) +
         (a.unexplained_signals == 1 ? " wait for a signal" : " waits for signals") +
         ": `ramjet run --trace-near` also traces accesses to memory of the same node";
}

}  // namespace traces
