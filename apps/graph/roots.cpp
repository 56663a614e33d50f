// SPDX-License-Identifier: Apache-2.0
#include "roots.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/random_words.hpp"

namespace graph {
namespace {

// Whether an edge leads from v, of this rank, to another vertex.
bool leads_on(const spread_graph& g, vertex v) {
  const std::span<const vertex> row = g.mine[v - g.first];
  return std::any_of(row.begin(), row.end(), [v](vertex w) { return w != v; });
}

std::vector<vertex> random_roots(std::uint64_t count, const spread_graph& g, std::uint64_t seed) {
  std::vector<vertex> tried(1024 + 64 * count);
  measured::random_words words({seed, 0xb5});
  for (vertex& v : tried) v = static_cast<vertex>(words.next_below(g.vertices));
  std::vector<int> good(tried.size());
  for (std::size_t k = 0; k < tried.size(); ++k)
    good[k] = g.owners.owner_of(tried[k]) == ramjet::rank() && leads_on(g, tried[k]);
  measured::require(ramjet::all_reduce(std::span<int>(good), std::plus<>()));
  std::vector<vertex> roots;
  for (std::size_t k = 0; k < tried.size() && roots.size() < count; ++k)
    if (good[k] != 0) roots.push_back(tried[k]);
  if (roots.size() < count)
    throw measured::failure("hardly a vertex has an edge: name one by --root");
  return roots;
}

}  // namespace

void add_options(measured::command_line& line, wanted_roots& wanted) {
  line.number("--roots", wanted.count, {.most = 10'000},
              "vertices with an edge to begin at, at random");
  line.numbers("--root", wanted.named, {.least = 0, .most = UINT64_MAX},
               "begin at these vertices instead");
}

std::vector<vertex> roots_of(const wanted_roots& wanted, const spread_graph& g,
                             std::uint64_t seed) {
  if (wanted.named.empty()) return random_roots(wanted.count, g, seed);
  std::vector<vertex> roots;
  for (const std::uint64_t root : wanted.named) {
    roots.push_back(g.names.find(root, g.vertices));
    if (roots.back() != kNoVertex) continue;
    if (!g.names.are_own_numbers())
      throw measured::failure(fmt::format("--root {}: no edge of the graph names it", root));
    throw measured::failure(
        fmt::format("--root {}: the graph has the vertices 0 to {}", root, g.vertices - 1));
  }
  return roots;
}

}  // namespace graph
