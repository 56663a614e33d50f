// SPDX-License-Identifier: Apache-2.0
#include "report/snapshot.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <unordered_map>

#include "base/clock.hpp"
#include "base/plain.hpp"
#include "lane/shared_lane.hpp"

namespace ramjet::report {
namespace {

using detail::pair_counters;
using detail::port_line;

// Another process wrote it: it may hold anything.
std::string printable(const char* name, std::size_t bytes) {
  std::string clean(name, ::strnlen(name, bytes));
  for (char& c : clean) c = base::plain(c);
  return clean;
}

port_view view_of(const port_line& line, unsigned ranks) {
  port_view view;
  const std::uint32_t state = line.state.load(std::memory_order_relaxed);
  view.coprocessor = state == detail::kOpenCoprocessor;
  view.open = view.coprocessor || state == detail::kOpen;
  view.waiting =
      view.open && line.waiting.load(std::memory_order_acquire) == 1;  // pairs: am.wait_shown
  if (!view.waiting) return view;
  view.asleep = line.asleep.load(std::memory_order_relaxed) != 0;
  view.target = line.wait_target.load(std::memory_order_relaxed);
  if (view.target < 0 || unsigned(view.target) >= ranks) view.target = -1;
  const std::uint32_t threads = line.wait_threads.load(std::memory_order_relaxed);
  view.of_threads = threads != detail::kOwnerWaits;
  view.threads_answer = threads == detail::kThreadsAnswer;
  view.since_ns = line.wait_since_ns.load(std::memory_order_relaxed);
  view.call = printable(reinterpret_cast<const char*>(line.wait_name), sizeof line.wait_name);
  return view;
}

// Calls visit(owner, peer, counters) for every pair of ports with a counter that is not zero, if
// the owner is of this node.
template <class Visit>
void for_each_pair(const node_memory& node, const geometry& layout, Visit&& visit) {
  std::vector<pair_counters> row(layout.ports);
  const std::uint64_t counters = node_memory::region_offset<pair_counters>(
      layout, lane::counters.name(), std::uint64_t(layout.ports) * layout.ports);
  if (counters == 0) return;
  for (unsigned owner = 0; owner < layout.ports; ++owner) {
    if (!node.is_home_of(owner / layout.endpoints)) continue;
    const auto bytes = std::as_writable_bytes(std::span(row));
    node.read(counters + owner * bytes.size(), bytes);
    for (unsigned peer = 0; peer < layout.ports; ++peer) {
      constexpr pair_counters kNothing{};
      if (std::memcmp(static_cast<const void*>(&row[peer]), static_cast<const void*>(&kNothing),
                      sizeof kNothing) != 0) {
        visit(owner, peer, row[peer]);
      }
    }
  }
}

// Calls visit(owner, peer, count) for accesses that the mesh's thread of a rank has served, at
// endpoint 0 for a peer on another node (consumed_line::served_by_second_thread).
template <class Visit>
void for_each_served(const node_memory& node, const geometry& layout, Visit&& visit) {
  const std::uint64_t lines = node_memory::region_offset<detail::consumed_line>(
      layout, lane::consumed.name(), std::uint64_t(layout.ports) * layout.ports);
  if (lines == 0 || node.is_whole_job()) return;
  std::vector<detail::consumed_line> row(layout.ports);
  for (unsigned rank = 0; rank < node.ranks(); ++rank) {
    if (!node.is_home_of(rank)) continue;
    const unsigned owner = rank * layout.endpoints;
    const auto bytes = std::as_writable_bytes(std::span(row));
    node.read(lines + owner * bytes.size(), bytes);
    for (unsigned peer = 0; peer < layout.ports; ++peer)
      if (const std::uint64_t count =
              row[peer].served_by_second_thread.load(std::memory_order_relaxed))
        visit(owner, peer, count);
  }
}

// The ports of the node's own ranks.
void read_ports(const node_memory& node, job_snapshot& into) {
  geometry layout;
  if (!node.read_layout(layout)) return;
  if (into.ports.empty()) {
    into.endpoints = layout.endpoints;
    into.ports.resize(layout.ports);
  }
  if (layout.endpoints != into.endpoints) return;  // not of one job
  const std::uint64_t ports =
      node_memory::region_offset<port_line>(layout, node::ports.name(), layout.ports);
  if (ports == 0) return;
  std::vector<port_line> lines(layout.ports);
  node.read(ports, std::as_writable_bytes(std::span(lines)));
  for (unsigned port = 0; port < layout.ports; ++port) {
    if (!node.is_home_of(into.rank_of(port))) continue;
    into.ports[port] = view_of(lines[port], node.ranks());
  }
}

std::uint64_t get(const std::atomic<std::uint64_t>& counter) {
  return counter.load(std::memory_order_relaxed);
}
// The count without the checks among it. One that is under way may be in one number alone.
std::uint64_t without(const std::atomic<std::uint32_t>& checks,
                      const std::atomic<std::uint64_t>& counter) {
  const std::uint64_t count = get(counter);
  return count - std::min<std::uint64_t>(count, checks.load(std::memory_order_relaxed));
}

using lane_map = std::unordered_map<std::uint32_t, lane_view>;

void gather_lanes_of(const node_memory& node, const geometry& layout, lane_map& lanes) {
  const auto lane = [&lanes](unsigned from, unsigned to) -> lane_view& {
    lane_view& l = lanes[from << 16 | to];
    l.from = from;
    l.to = to;
    return l;
  };
  for_each_pair(node, layout, [&](unsigned owner, unsigned peer, const pair_counters& counters) {
    lane_view& out = lane(owner, peer);
    out.requests_sent = without(counters.checks_sent, counters.requests_sent);
    out.replies_sent = get(counters.replies_sent);
    out.chained = get(counters.chained);
    lane_view& in = lane(peer, owner);
    in.requests_received = without(counters.checks_received, counters.requests_received);
    in.requests_handled = without(counters.checks_received, counters.requests_handled);
    in.replies_received = get(counters.replies_received);
    in.replies_handled = get(counters.replies_handled);
  });
  for_each_served(node, layout, [&](unsigned owner, unsigned peer, std::uint64_t count) {
    lane(owner, peer).replies_sent += count;
    lane_view& in = lane(peer, owner);
    in.requests_received += count;
    in.requests_handled += count;
  });
}

std::uint64_t count_activity(const node_memory& node) {
  std::uint64_t sum = 0;  // of numbers that only grow
  for (unsigned rank = 0; rank < node.ranks(); ++rank) {
    if (!node.is_home_of(rank)) continue;
    sum += node.line(rank).progress.load(std::memory_order_relaxed);
  }
  geometry layout;
  if (!node.read_layout(layout)) return sum;
  for_each_pair(node, layout, [&sum](unsigned, unsigned, const pair_counters& counters) {
    sum += without(counters.checks_sent, counters.requests_sent) +
           without(counters.checks_received, counters.requests_received) +
           without(counters.checks_received, counters.requests_handled) +
           get(counters.replies_sent) + get(counters.replies_received) +
           get(counters.replies_handled);
  });
  for_each_served(node, layout, [&sum](unsigned, unsigned, std::uint64_t count) { sum += count; });
  return sum;
}

}  // namespace

std::string port_view::described_call() const {
  return of_threads && call != detail::kThreadsWait ? call + " of a user-level thread" : call;
}

const port_view* job_snapshot::longest_wait(unsigned rank) const {
  const port_view* longest = nullptr;
  for (unsigned i = 0; i < endpoints && !ports.empty(); ++i) {
    const port_view& port = ports[rank * endpoints + i];
    if (port.coprocessor || !waits(rank * endpoints + i)) continue;
    if (longest == nullptr || port.since_ns < longest->since_ns) longest = &port;
  }
  return longest;
}

bool job_snapshot::is_partial() const {
  return std::any_of(ranks.begin(), ranks.end(), [](const rank_view& r) { return !r.seen; });
}

job_snapshot read_waits(const readable_job& job) {
  job_snapshot snapshot;
  snapshot.nodes = job.nodes();
  snapshot.ranks.resize(job.ranks());
  for (unsigned rank = 0; rank < job.ranks(); ++rank) {
    const rank_line& line = job.line(rank);
    rank_view& view = snapshot.ranks[rank];
    view.state = rank_state(line.state.load(std::memory_order_relaxed));
    view.node = job.node_of[rank];
    view.seen = job.is_seen(rank);
    if (view.seen) view.pid = pid_t(line.pid.load(std::memory_order_relaxed));
    view.has_come = view.pid != 0;
  }
  for (const node_memory* node : job.memories)
    if (node != nullptr) read_ports(*node, snapshot);
  snapshot.now_ns = base::now_ns();
  return snapshot;
}

void gather_lanes(const readable_job& job, job_snapshot& into) {
  lane_map lanes;
  for (const node_memory* node : job.memories) {
    geometry layout;
    if (node == nullptr || !node->read_layout(layout) || layout.endpoints != into.endpoints)
      continue;
    gather_lanes_of(*node, layout, lanes);
  }
  for (auto& [key, l] : lanes) {
    if (l.sent() + l.received() + l.chained == 0) continue;
    l.from_seen = job.is_seen(into.rank_of(l.from));
    l.to_seen = job.is_seen(into.rank_of(l.to));
    into.lanes.push_back(l);
  }
  std::sort(into.lanes.begin(), into.lanes.end(), [](const lane_view& a, const lane_view& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
}

void read_lanes(const readable_job& job, job_snapshot& into, std::uint64_t watch_ns) {
  const std::uint64_t before = read_activity(job);
  gather_lanes(job, into);
  // A rank ends a call each time that it gets the processor; on a crowded machine that takes a
  // while.
  const std::uint64_t end_ns = base::now_ns() + watch_ns;
  while (!(into.moving = read_activity(job) != before) && base::now_ns() < end_ns) ::usleep(5000);
}

std::uint64_t read_activity(const readable_job& job) {
  std::uint64_t sum = 0;
  for (const node_memory* node : job.memories)
    if (node != nullptr) sum += count_activity(*node);
  return sum;
}

std::vector<unsigned> ranks_to_ask(const job_snapshot& snapshot) {
  std::vector<unsigned> found;
  for (unsigned port = 0; port < snapshot.ports.size(); ++port) {
    const unsigned rank = snapshot.rank_of(port);
    const rank_view& view = snapshot.ranks[rank];
    if (snapshot.waits(port) && snapshot.ports[port].threads_answer &&
        view.state == rank_state::joined && view.pid > 0)
      found.push_back(rank);
  }
  return found;
}

}  // namespace ramjet::report
