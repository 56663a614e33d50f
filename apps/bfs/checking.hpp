// SPDX-License-Identifier: Apache-2.0
// Whether an array of parents is a breadth-first tree, by the rules of Graph500 (its section on
// validation): it has no cycle, each vertex is one level below its parent, parents are neighbours,
// the ends of an edge are at most a level apart, and all vertices that the root can reach are in
// it. The levels are worked out from the parents alone. Together the rules leave no other tree than
// one of shortest ways.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../graph/spread_graph.hpp"

namespace bfs {

inline constexpr std::uint32_t kNoLevel = UINT32_MAX;

// Of all vertices of a graph, from the parents of all; kNoLevel where there is no parent. Empty if
// the parents are no tree with this root, and then `fault` says why.
std::vector<std::uint32_t> levels_of(std::span<const graph::vertex> parents, graph::vertex root,
                                     std::string& fault);

// What is wrong with the part of the tree at these rows, of which the first is that of vertex
// `first`; empty if nothing is.
std::string fault_at(const graph::rows& mine, graph::vertex first,
                     std::span<const graph::vertex> parents, std::span<const std::uint32_t> levels,
                     graph::vertex root);

// What the tree of a search is.
struct tree {
  std::uint64_t edges = 0;  // of the graph, between vertices that were reached
  std::vector<std::uint64_t> vertices;  // by level
};

// Checks a tree of which this rank has its part. Throws measured::failure in all ranks. Collective.
tree checked_tree(const graph::spread_graph& g, std::span<const graph::vertex> parents,
                  graph::vertex root);

}  // namespace bfs
