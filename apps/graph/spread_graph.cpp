// SPDX-License-Identifier: Apache-2.0
#include "spread_graph.hpp"

#include <functional>
#include <numeric>

#include <ramjet/ramjet.hpp>

#include "../measured/program.hpp"
#include "numbering.hpp"
#include "spread_rows.hpp"

namespace graph {
namespace {

using measured::require;

std::size_t sum(const std::vector<std::size_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

}  // namespace

std::vector<vertex> degrees_of_all(const edge_share& share) {
  std::vector<vertex> degrees = degrees_of(share);
  require(ramjet::all_reduce(std::span<vertex>(degrees), std::plus<>()));
  return degrees;
}

spread_graph distribute(const edge_share& share) {
  const ownership owners(share.vertices, ramjet::size());
  spread_graph g{
      share.vertices, share.edges, owners, static_cast<vertex>(owners.begin_of(ramjet::rank())), {},
      share.names};
  g.mine = rows_from(owners, message_each(), [&share](auto&& put) {
    for (const edge& e : share.mine) {
      put({e.a, e.b});
      put({e.b, e.a});
    }
  });
  // So a graph is the same whatever messages came first, and a loop over neighbours has those of
  // one rank side by side, mine first: whether one is mine is foreseen by the processor.
  sort_each(g.mine, g.first);
  if (share.lengths) g.lengths = distribute_lengths(share, owners);
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
  sort_each(whole);
  return whole;
}

}  // namespace graph
