// SPDX-License-Identifier: Apache-2.0
#include "checking.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/agreeing.hpp"
#include "../measured/measuring.hpp"

namespace bfs {
namespace {

using graph::kNoVertex;
using graph::vertex;

constexpr std::uint32_t kOnTheWay = kNoLevel - 1;  // to the root, from the vertex in question

// Follows parents from v to a vertex whose level is known, and notes the levels on the way back.
// Returns a vertex at which that is impossible, else kNoVertex. `way` is empty before and after.
vertex climb(std::span<const vertex> parents, std::vector<std::uint32_t>& levels, vertex v,
             std::vector<vertex>& way) {
  for (; levels[v] == kNoLevel; v = parents[v]) {
    levels[v] = kOnTheWay;
    way.push_back(v);
    if (parents[v] >= parents.size()) return v;
  }
  if (levels[v] == kOnTheWay) return v;
  for (std::uint32_t level = levels[v]; !way.empty(); way.pop_back()) levels[way.back()] = ++level;
  return kNoVertex;
}

}  // namespace

std::vector<std::uint32_t> levels_of(std::span<const vertex> parents, vertex root,
                                     std::string& fault) {
  std::vector<std::uint32_t> levels(parents.size(), kNoLevel);
  std::vector<vertex> way;
  if (parents[root] != root) {
    fault = fmt::format("the root {} is not its own parent", root);
    return {};
  }
  levels[root] = 0;
  for (vertex v = 0; v < parents.size(); ++v) {
    if (parents[v] == kNoVertex) continue;
    if (const vertex bad = climb(parents, levels, v, way); bad != kNoVertex) {
      fault = fmt::format("the parents of vertex {} do not lead to the root {}", bad, root);
      return {};
    }
  }
  return levels;
}

std::string fault_at(const graph::rows& mine, vertex first, std::span<const vertex> parents,
                     std::span<const std::uint32_t> levels, vertex root) {
  for (std::size_t k = 0; k < mine.count(); ++k) {
    const vertex v = first + static_cast<vertex>(k);
    bool neighbour = v == root || parents[v] == kNoVertex;
    for (const vertex w : mine[k]) {
      neighbour = neighbour || w == parents[v];
      if ((levels[v] == kNoLevel) != (levels[w] == kNoLevel))
        return fmt::format("of the neighbours {} and {} one is reached", v, w);
      if (std::max(levels[v], levels[w]) - std::min(levels[v], levels[w]) > 1)
        return fmt::format("the neighbours {} and {} are at the levels {} and {}", v, w, levels[v],
                           levels[w]);
    }
    if (!neighbour) return fmt::format("vertex {} is no neighbour of its parent {}", v, parents[v]);
  }
  return {};
}

tree checked_tree(const graph::spread_graph& g, std::span<const vertex> parents, vertex root) {
  std::vector<vertex> all(g.vertices);
  const std::vector<std::size_t> counts = graph::counts_of_all(parents.size());
  measured::require(
      ramjet::all_gather(parents, std::span<vertex>(all), std::span<const std::size_t>(counts)));
  std::string fault;
  const std::vector<std::uint32_t> levels = levels_of(all, root, fault);
  measured::agreed([&] {
    if (fault.empty()) fault = fault_at(g.mine, g.first, all, levels, root);
    if (!fault.empty()) throw measured::failure("wrong tree: " + fault);
  });
  tree t;
  std::uint64_t ends = 0;
  for (std::size_t k = 0; k < g.mine.count(); ++k)
    if (parents[k] != kNoVertex) ends += g.mine[k].size();
  t.edges = measured::sum_over_ranks(ends) / 2;
  for (const std::uint32_t level : levels) {
    if (level == kNoLevel) continue;
    if (level >= t.vertices.size()) t.vertices.resize(level + 1);
    ++t.vertices[level];
  }
  return t;
}

}  // namespace bfs
