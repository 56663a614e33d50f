// SPDX-License-Identifier: Apache-2.0
// Whether an array of parents is a tree of shortest ways, by the rules of Graph500 (its section on
// validation): it has no cycle, parents are neighbours, no edge leads to a vertex by a shorter way
// than the tree's, and all vertices that the root can reach are in it. Distances are worked out
// from the parents alone. Together the rules leave no tree that is not one of shortest ways; with
// edges of length 1 the distances are the levels of a breadth-first search.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "spread_graph.hpp"
#include "weights.hpp"

namespace graph {

inline constexpr std::uint32_t kNoDistance = UINT32_MAX;

// Of all vertices of a graph from the root, by the parents of all; kNoDistance where there is no
// parent. Empty if the parents are not a tree with this root, and then `fault` says why.
std::vector<std::uint32_t> distances_of(std::span<const vertex> parents, vertex root,
                                        const edge_weights& weight, std::string& fault);

// What is wrong with the part of the tree at these rows, of which the first is that of vertex
// `first`; empty if nothing is.
std::string fault_at(const rows& mine, vertex first, std::span<const vertex> parents,
                     std::span<const std::uint32_t> distances, vertex root,
                     const edge_weights& weight);

struct checked_tree {
  std::uint64_t edges = 0;  // of the graph, between vertices that were reached
  std::vector<std::uint32_t> distances;  // of all vertices
};

// Checks a tree of which this rank has its part. Throws measured::failure in all ranks. Collective.
checked_tree check_tree(const spread_graph& g, std::span<const vertex> parents, vertex root,
                        const edge_weights& weight);

}  // namespace graph
