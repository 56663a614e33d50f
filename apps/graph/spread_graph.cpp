// SPDX-License-Identifier: Apache-2.0
#include "spread_graph.hpp"

#include <algorithm>
#include <numeric>

#include <ramjet/ramjet.hpp>

#include "../measured/program.hpp"

namespace graph {
namespace {

using measured::require;

// What the handlers of this rank fill while a graph is distributed. At first begins[k + 2] counts
// the neighbours of row k; then begins[k + 1] is where the next neighbour of row k goes.
spread_graph* filled = nullptr;

void on_degree(vertex v) { ++filled->mine.begins[v - filled->first + 2]; }
void on_neighbour(vertex v, vertex neighbour) {
  filled->mine.targets[filled->mine.begins[v - filled->first + 1]++] = neighbour;
}

}  // namespace
}  // namespace graph

template <>
inline constexpr bool ramjet::aggregated<&graph::on_degree> = true;
template <>
inline constexpr bool ramjet::aggregated<&graph::on_neighbour> = true;

namespace graph {
namespace {

template <class Each>
void for_both_ends(const edge_share& share, Each&& each) {
  for (const edge& e : share.mine) {
    require(each(e.a, e.b));
    require(each(e.b, e.a));
  }
  require(ramjet::quiesce());
}

std::size_t sum(const std::vector<std::size_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

}  // namespace

spread_graph distribute(const edge_share& share) {
  const ownership owners(share.vertices, ramjet::size());
  const std::uint64_t begin = owners.begin_of(ramjet::rank()),
                      end = owners.begin_of(ramjet::rank() + 1);
  spread_graph g{share.vertices, share.edges, owners, static_cast<vertex>(begin), {}};
  g.mine.begins.resize(end - begin + 2);
  filled = &g;
  require(ramjet::barrier());  // all are ready for messages
  for_both_ends(
      share, [&](vertex v, vertex) { return ramjet::request<&on_degree>(owners.owner_of(v), v); });
  std::partial_sum(g.mine.begins.begin(), g.mine.begins.end(), g.mine.begins.begin());
  g.mine.targets.resize(g.mine.begins.back());
  require(ramjet::barrier());
  for_both_ends(share, [&](vertex v, vertex w) {
    return ramjet::request<&on_neighbour>(owners.owner_of(v), v, w);
  });
  g.mine.begins.pop_back();
  filled = nullptr;
  // So a graph is the same whatever messages came first, and a loop over neighbours has those of
  // one rank side by side: whether one is mine is foreseen by the processor.
  for (std::size_t k = 0; k < g.mine.count(); ++k)
    std::sort(g.mine.targets.data() + g.mine.begins[k],
              g.mine.targets.data() + g.mine.begins[k + 1]);
  return g;
}

std::vector<std::size_t> counts_of_all(std::size_t mine) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(ramjet::size()));
  require(ramjet::all_gather(mine, counts.data()));
  return counts;
}

rows whole_at_root(const spread_graph& g) {
  const bool root = ramjet::rank() == measured::kRoot;
  std::vector<vertex> degrees(g.mine.count());
  for (std::size_t k = 0; k < degrees.size(); ++k)
    degrees[k] = static_cast<vertex>(g.mine[k].size());
  const std::vector<std::size_t> vertices = counts_of_all(degrees.size()),
                                 targets = counts_of_all(g.mine.targets.size());
  std::vector<vertex> all_degrees(root ? sum(vertices) : 0);
  rows whole;
  whole.targets.resize(root ? sum(targets) : 0);
  require(ramjet::gather(std::span<const vertex>(degrees), std::span<vertex>(all_degrees),
                         std::span<const std::size_t>(vertices), measured::kRoot));
  require(ramjet::gather(std::span<const vertex>(g.mine.targets), std::span<vertex>(whole.targets),
                         std::span<const std::size_t>(targets), measured::kRoot));
  for (const vertex degree : all_degrees) whole.begins.push_back(whole.begins.back() + degree);
  return whole;
}

}  // namespace graph
