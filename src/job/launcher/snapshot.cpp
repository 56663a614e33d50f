// SPDX-License-Identifier: Apache-2.0
#include "job/launcher/snapshot.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <unordered_map>

#include "base/clock.hpp"

namespace ramjet::job {
namespace {

using detail::pair_counters;
using detail::port_line;

// Another process wrote it: it may hold anything.
std::string printable(const char* name, std::size_t bytes) {
  std::string clean(name, ::strnlen(name, bytes));
  for (char& c : clean) {
    if (c < ' ' || c > '~') c = '?';
  }
  return clean;
}

port_view view_of(const port_line& line, unsigned ranks) {
  port_view view;
  const std::uint32_t open = line.open.load(std::memory_order_relaxed);
  view.open = open != detail::kClosed;
  view.coprocessor = open == detail::kOpenCoprocessor;
  view.waiting =
      view.open && line.waiting.load(std::memory_order_acquire) == 1;  // pairs: am.wait_shown
  if (!view.waiting) return view;
  view.target = line.wait_target.load(std::memory_order_relaxed);
  if (view.target < 0 || unsigned(view.target) >= ranks) view.target = -1;
  view.since_ns = line.wait_since_ns.load(std::memory_order_relaxed);
  view.call = printable(reinterpret_cast<const char*>(line.wait_name), sizeof line.wait_name);
  return view;
}

// Calls visit(owner, peer, counters) for every pair of ports with a counter that is not zero, if
// the owner is of this node.
template <class Visit>
void for_each_pair(const job_object& object, const geometry& layout, Visit&& visit) {
  std::vector<pair_counters> row(layout.ports);
  for (unsigned owner = 0; owner < layout.ports; ++owner) {
    if (!object.is_home_of(owner / layout.endpoints)) continue;
    const auto bytes = std::as_writable_bytes(std::span(row));
    object.read(layout.counters_offset + owner * bytes.size(), bytes);
    for (unsigned peer = 0; peer < layout.ports; ++peer) {
      constexpr pair_counters kNothing{};
      if (std::memcmp(static_cast<const void*>(&row[peer]), static_cast<const void*>(&kNothing),
                      sizeof kNothing) != 0) {
        visit(owner, peer, row[peer]);
      }
    }
  }
}

// The ports of the node's own ranks.
void read_ports(const job_object& object, job_snapshot& into) {
  geometry layout;
  if (!object.read_layout(layout)) return;
  if (into.ports.empty()) {
    into.endpoints = layout.endpoints;
    into.ports.resize(layout.ports);
  }
  if (layout.endpoints != into.endpoints) return;  // no honest job
  std::vector<port_line> lines(layout.ports);
  object.read(layout.ports_offset, std::as_writable_bytes(std::span(lines)));
  for (unsigned port = 0; port < layout.ports; ++port) {
    if (!object.is_home_of(into.rank_of(port))) continue;
    into.ports[port] = view_of(lines[port], object.ranks());
  }
}

using lane_map = std::unordered_map<std::uint32_t, lane_view>;

void gather_lanes(const job_object& object, const geometry& layout, lane_map& lanes) {
  const auto lane = [&lanes](unsigned from, unsigned to) -> lane_view& {
    lane_view& l = lanes[from << 16 | to];
    l.from = from;
    l.to = to;
    return l;
  };
  const auto get = [](const std::atomic<std::uint64_t>& counter) {
    return counter.load(std::memory_order_relaxed);
  };
  for_each_pair(object, layout, [&](unsigned owner, unsigned peer, const pair_counters& counters) {
    lane_view& out = lane(owner, peer);
    out.requests_sent = get(counters.requests_sent);
    out.replies_sent = get(counters.replies_sent);
    out.chained = get(counters.chained);
    lane_view& in = lane(peer, owner);
    in.requests_received = get(counters.requests_received);
    in.requests_handled = get(counters.requests_handled);
    in.replies_received = get(counters.replies_received);
    in.replies_handled = get(counters.replies_handled);
  });
}

std::uint64_t count_activity(const job_object& object) {
  std::uint64_t sum = 0;  // of numbers that only grow
  for (unsigned rank = 0; rank < object.ranks(); ++rank) {
    if (!object.is_home_of(rank)) continue;
    sum += object.line(rank).progress.load(std::memory_order_relaxed);
  }
  geometry layout;
  if (!object.read_layout(layout)) return sum;
  for_each_pair(object, layout, [&sum](unsigned, unsigned, const pair_counters& counters) {
    for (const auto* counter :
         {&counters.requests_sent, &counters.requests_received, &counters.requests_handled,
          &counters.replies_sent, &counters.replies_received, &counters.replies_handled}) {
      sum += counter->load(std::memory_order_relaxed);
    }
  });
  return sum;
}

}  // namespace

const port_view* job_snapshot::longest_wait(unsigned rank) const {
  const port_view* longest = nullptr;
  for (unsigned i = 0; i < endpoints && !ports.empty(); ++i) {
    const port_view& port = ports[rank * endpoints + i];
    if (port.coprocessor) continue;
    if (port.waiting && (longest == nullptr || port.since_ns < longest->since_ns)) longest = &port;
  }
  return longest;
}

job_snapshot read_waits(const job_memory& memory) {
  job_snapshot snapshot;
  snapshot.nodes = memory.nodes();
  snapshot.ranks.resize(memory.ranks());
  for (unsigned rank = 0; rank < memory.ranks(); ++rank) {
    const rank_line& line = memory.line(rank);
    snapshot.ranks[rank].state = rank_state(line.state.load(std::memory_order_relaxed));
    snapshot.ranks[rank].pid = pid_t(line.pid.load(std::memory_order_relaxed));
    snapshot.ranks[rank].node = memory.node_of(rank);
    snapshot.ranks[rank].has_come = snapshot.ranks[rank].pid != 0;
  }
  for (unsigned node = 0; node < memory.nodes(); ++node) read_ports(memory.node(node), snapshot);
  snapshot.now_ns = base::now_ns();
  return snapshot;
}

void read_lanes(const job_memory& memory, job_snapshot& into) {
  const std::uint64_t before = read_activity(memory);
  lane_map lanes;
  for (unsigned node = 0; node < memory.nodes(); ++node) {
    geometry layout;
    if (!memory.node(node).read_layout(layout) || layout.endpoints != into.endpoints) continue;
    gather_lanes(memory.node(node), layout, lanes);
  }
  for (const auto& [key, l] : lanes) {
    if (l.sent() + l.received() + l.chained != 0) into.lanes.push_back(l);
  }
  std::sort(into.lanes.begin(), into.lanes.end(), [](const lane_view& a, const lane_view& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  into.moving = read_activity(memory) != before;
}

std::uint64_t read_activity(const job_memory& memory) {
  std::uint64_t sum = 0;
  for (unsigned node = 0; node < memory.nodes(); ++node) sum += count_activity(memory.node(node));
  return sum;
}

}  // namespace ramjet::job
