// SPDX-License-Identifier: Apache-2.0
#include "tree.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/agreeing.hpp"
#include "../measured/measuring.hpp"

namespace graph {
namespace {

constexpr std::uint32_t kOnTheWay = kNoDistance - 1;  // to the root, from the vertex in question

// Follows parents from v to a vertex whose distance is known, and notes the distances on the way
// back. Returns a vertex at which that is impossible, else kNoVertex. `way` is empty before and
// after.
vertex climb(std::span<const vertex> parents, std::vector<std::uint32_t>& distances, vertex v,
             const edge_weights& weight, std::vector<vertex>& way) {
  for (; distances[v] == kNoDistance; v = parents[v]) {
    distances[v] = kOnTheWay;
    way.push_back(v);
    if (parents[v] >= parents.size()) return v;
  }
  if (distances[v] == kOnTheWay) return v;
  for (std::uint64_t distance = distances[v]; !way.empty(); way.pop_back()) {
    distance += weight(way.back(), parents[way.back()]);
    if (distance >= kOnTheWay) return way.back();
    distances[way.back()] = static_cast<std::uint32_t>(distance);
  }
  return kNoVertex;
}

}  // namespace

std::vector<std::uint32_t> distances_of(std::span<const vertex> parents, vertex root,
                                        const edge_weights& weight, std::string& fault) {
  std::vector<std::uint32_t> distances(parents.size(), kNoDistance);
  std::vector<vertex> way;
  if (parents[root] != root) {
    fault = fmt::format("the root {} is not its own parent", root);
    return {};
  }
  distances[root] = 0;
  for (vertex v = 0; v < parents.size(); ++v) {
    if (parents[v] == kNoVertex) continue;
    if (const vertex bad = climb(parents, distances, v, weight, way); bad != kNoVertex) {
      fault =
          fmt::format("the parents of vertex {} do not lead to the root {} within 2^32", bad, root);
      return {};
    }
  }
  return distances;
}

std::string fault_at(const rows& mine, vertex first, std::span<const vertex> parents,
                     std::span<const std::uint32_t> distances, vertex root,
                     const edge_weights& weight) {
  for (std::size_t k = 0; k < mine.count(); ++k) {
    const vertex v = first + static_cast<vertex>(k);
    bool neighbour = v == root || parents[v] == kNoVertex;
    for (const vertex w : mine[k]) {
      neighbour = neighbour || w == parents[v];
      if ((distances[v] == kNoDistance) != (distances[w] == kNoDistance))
        return fmt::format("of the neighbours {} and {} one is reached", v, w);
      if (std::max(distances[v], distances[w]) - std::min(distances[v], distances[w]) >
          weight(v, w))
        return fmt::format("the neighbours {} and {}, {} apart, are {} and {} from the root", v, w,
                           weight(v, w), distances[v], distances[w]);
    }
    if (!neighbour)
      return fmt::format("vertex {} is not a neighbour of its parent {}", v, parents[v]);
  }
  return {};
}

checked_tree check_tree(const spread_graph& g, std::span<const vertex> parents, vertex root,
                        const edge_weights& weight) {
  std::vector<vertex> all(g.vertices);
  const std::vector<std::size_t> counts = counts_of_all(parents.size());
  measured::require(
      ramjet::all_gather(parents, std::span<vertex>(all), std::span<const std::size_t>(counts)));
  checked_tree t;
  std::string fault;
  t.distances = distances_of(all, root, weight, fault);
  measured::agreed([&] {
    if (fault.empty()) fault = fault_at(g.mine, g.first, all, t.distances, root, weight);
    if (!fault.empty()) throw measured::failure("wrong tree: " + fault);
  });
  std::uint64_t ends = 0;
  for (std::size_t k = 0; k < g.mine.count(); ++k)
    if (parents[k] != kNoVertex) ends += g.mine[k].size();
  t.edges = measured::sum_over_ranks(ends) / 2;
  return t;
}

}  // namespace graph
