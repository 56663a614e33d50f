// SPDX-License-Identifier: Apache-2.0
#include "tools/model/meeting.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace loggp {
namespace {

double stream_ns(const message_costs& c, double bytes) {
  return std::max(0.0, bytes - 1) * c.byte_ns;
}

// Rounds in which each one sends to the one 1, 2, 4, ... behind it, and takes what comes.
// `costs(i, j)` are those of a message from i to j. Returns the number of rounds.
template <class Costs>
unsigned disseminate(std::vector<double>& times, double bytes, const Costs& costs) {
  const std::size_t count = times.size();
  std::vector<double> after(count);
  unsigned rounds = 0;
  for (std::size_t distance = 1; distance < count; distance *= 2, ++rounds) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t from = i >= distance ? i - distance : i + count - distance;
      const std::size_t to = i + distance < count ? i + distance : i + distance - count;
      const message_costs& in = costs(from, i);
      const double arrival = times[from] + in.send_ns + in.latency_ns + stream_ns(in, bytes);
      after[i] = std::max(times[i] + costs(i, to).send_ns, arrival) + in.receive_ns;
    }
    times.swap(after);
  }
  return rounds;
}

// The same where all messages cost the same, and shorter where all come at once, as they often do.
unsigned disseminate(std::vector<double>& times, double bytes, const message_costs& all) {
  const auto [first, last] = std::minmax_element(times.begin(), times.end());
  if (*first != *last)
    return disseminate(times, bytes,
                       [&](std::size_t, std::size_t) -> const message_costs& { return all; });
  const auto rounds = unsigned(std::bit_width(times.size() - 1));
  double at = *first;
  for (unsigned i = 0; i < rounds; ++i)
    at += all.send_ns + all.latency_ns + stream_ns(all, bytes) + all.receive_ns;
  std::fill(times.begin(), times.end(), at);
  return rounds;
}

// At a counter on each node; one rank of it then meets those of the other nodes.
double meet_by_nodes(const machine& m, double bytes, std::vector<double>& times) {
  const std::size_t per_node = m.ranks_per_node == 0 ? times.size() : m.ranks_per_node;
  const double copy = stream_ns(m.near, bytes);
  std::vector<double> nodes((times.size() + per_node - 1) / per_node, 0);
  for (std::size_t i = 0; i < times.size(); ++i)
    nodes[i / per_node] = std::max(nodes[i / per_node], times[i] + m.near.send_ns + copy);
  for (double& node : nodes) node += m.near.latency_ns;
  const unsigned rounds = disseminate(nodes, bytes, m.far);
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] = nodes[i / per_node] + m.near.latency_ns + m.near.receive_ns + copy;
  return m.near.send_ns + m.near.receive_ns + 2 * copy +
         rounds * (m.far.send_ns + m.far.receive_ns) / double(per_node);
}

}  // namespace

double meet_all(const machine& m, double bytes, std::vector<double>& times) {
  if (m.is_crowded(unsigned(times.size()))) return meet_by_nodes(m, bytes, times);
  const std::size_t per_node = m.ranks_per_node == 0 ? times.size() : m.ranks_per_node;
  if (per_node == 1 || per_node >= times.size()) {
    const message_costs& all = per_node == 1 ? m.far : m.near;
    const unsigned rounds = disseminate(times, bytes, all);
    return rounds * (all.send_ns + all.receive_ns);
  }
  const unsigned rounds =
      disseminate(times, bytes, [&](std::size_t i, std::size_t j) -> const message_costs& {
        return i / per_node == j / per_node ? m.near : m.far;
      });
  return rounds * (m.far.send_ns + m.far.receive_ns);
}

// A rank whose lowest set bit is b has had it from the rank without that bit, and sends to those
// that are b/2, b/4, ... behind it; rank 0 stands for one with a bit above all.
double broadcast(const machine& m, double bytes, std::vector<double>& times) {
  const std::size_t count = times.size();
  std::vector<double> arrivals(count, 0);
  double overhead = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_root = i == 0;
    double now = times[i];
    if (!is_root) {
      const std::size_t from = i & (i - 1);
      const message_costs& in =
          m.node_of(unsigned(from)) == m.node_of(unsigned(i)) ? m.near : m.far;
      now = std::max(now, arrivals[i]) + in.receive_ns;
      overhead += in.receive_ns;
    }
    const std::size_t above = is_root ? std::bit_ceil(count) : i & (~i + 1);
    for (std::size_t step = above / 2; step > 0; step /= 2) {
      if (i + step >= count) continue;
      const message_costs& out =
          m.node_of(unsigned(i)) == m.node_of(unsigned(i + step)) ? m.near : m.far;
      arrivals[i + step] = now + out.send_ns + out.latency_ns + stream_ns(out, bytes);
      now += std::max(out.send_ns, out.gap_ns) + stream_ns(out, bytes);
      overhead += out.send_ns;
    }
    times[i] = now;
  }
  return overhead;
}

}  // namespace loggp
