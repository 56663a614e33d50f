// SPDX-License-Identifier: Apache-2.0
// Other numbers for the vertices of a graph, for programs that pass over all rows again and again.
// Vertices with more edges come first in each rank's block. So rows of nearly one length follow
// each other, and the processor foresees where a row ends; and what most edges lead to stands side
// by side, in few lines of the caches (Zhang et al. 2017, Making caches work for graph analytics).
// The vertices are dealt to the ranks in turn, so that all ranks have nearly as many edges.
#pragma once

#include <span>
#include <vector>

#include "edge_share.hpp"

namespace graph {

// How many of these edges each vertex has; a loop counts twice.
std::vector<vertex> degrees_of(const edge_share& share);

// The new number of each vertex, which has degrees[vertex] edges.
std::vector<vertex> numbers_by_degree(std::span<const vertex> degrees, int ranks);

// The ends of all edges get their new numbers.
void renumber(std::span<edge> edges, std::span<const vertex> numbers);

// What each vertex has, in the order of their old numbers.
template <class T>
std::vector<T> in_old_order(std::span<const vertex> numbers, std::span<const T> by_new_number) {
  std::vector<T> values;
  values.reserve(numbers.size());
  for (const vertex number : numbers) values.push_back(by_new_number[number]);
  return values;
}

}  // namespace graph
