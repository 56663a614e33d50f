// SPDX-License-Identifier: Apache-2.0
#include "tree_check.hpp"

#include <string>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/agreeing.hpp"
#include "../measured/program.hpp"

namespace sssp {
namespace {

using graph::kNoVertex;
using graph::vertex;

constexpr double kUnknown = -1;  // no distance yet
constexpr double kClimbing = -2;  // on the way to the root
constexpr double kFarAway = kFarthest<double>;

// What all ranks know of a tree, a value for each vertex.
struct whole_tree {
  std::vector<vertex> parents;
  std::vector<double> lengths;  // of the edge to the parent; kFarAway where there is no such edge
};

template <class Value>
std::vector<Value> gathered(const graph::spread_graph& g, std::span<const Value> mine) {
  std::vector<Value> all(g.vertices);
  const std::vector<std::size_t> counts = graph::counts_of_all(mine.size());
  measured::require(
      ramjet::all_gather(mine, std::span<Value>(all), std::span<const std::size_t>(counts)));
  return all;
}

// Rows are in the order of lengths: the first edge to a parent is the shortest.
double length_to(std::span<const weighted_edge<double>> row, vertex parent) {
  for (const weighted_edge<double>& e : row)
    if (e.to == parent) return e.length;
  return kFarAway;
}

whole_tree whole(const graph::spread_graph& g, const weighted_rows<double>& rows,
                 std::span<const vertex> parents) {
  std::vector<double> lengths(parents.size(), kFarAway);
  for (std::size_t k = 0; k < parents.size(); ++k)
    if (parents[k] != kNoVertex) lengths[k] = length_to(rows[k], parents[k]);
  return {gathered(g, parents), gathered(g, std::span<const double>(lengths))};
}

// Sets the distances from v up to the first vertex whose distance is known. Throws where the
// parents do not lead to one.
void climb(const whole_tree& t, vertex v, std::vector<double>& distances) {
  std::vector<vertex> way;
  for (; distances[v] == kUnknown; v = t.parents[v]) {
    distances[v] = kClimbing;
    way.push_back(v);
    if (t.parents[v] >= t.parents.size())
      throw measured::failure(fmt::format("wrong tree: vertex {} has no parent", v));
    if (t.lengths[v] == kFarAway)
      throw measured::failure(fmt::format(
          "wrong tree: vertex {} is not a neighbour of its parent {}", v, t.parents[v]));
  }
  if (distances[v] == kClimbing)
    throw measured::failure(fmt::format("wrong tree: the parents of vertex {} form a cycle", v));
  for (double distance = distances[v]; !way.empty(); way.pop_back())
    distances[way.back()] = distance += t.lengths[way.back()];
}

std::vector<double> distances_of(const whole_tree& t, vertex root) {
  if (t.parents[root] != root)
    throw measured::failure(fmt::format("wrong tree: the root {} is not its own parent", root));
  std::vector<double> distances(t.parents.size(), kUnknown);
  distances[root] = 0;
  for (vertex v = 0; v < distances.size(); ++v) {
    if (t.parents[v] == kNoVertex)
      distances[v] = kFarAway;
    else
      climb(t, v, distances);
  }
  return distances;
}

// No edge shortens a way. Both ends of an edge are reached, or neither is: the sum with a finite
// length is finite only if the distance is.
void check_edges(const weighted_rows<double>& rows, vertex first,
                 const std::vector<double>& distances) {
  for (std::size_t k = 0; k < rows.count(); ++k) {
    const vertex v = first + static_cast<vertex>(k);
    for (const weighted_edge<double>& e : rows[k])
      if (distances[v] + e.length < distances[e.to])
        throw measured::failure(
            fmt::format("wrong tree: vertex {} is {} from the root, but the edge of length {} from "
                        "vertex {} at {} leads to it",
                        e.to, distances[e.to], e.length, v, distances[v]));
  }
}

}  // namespace

std::vector<double> checked_distances(const graph::spread_graph& g,
                                      const weighted_rows<double>& rows,
                                      std::span<const vertex> parents, vertex root) {
  const whole_tree t = whole(g, rows, parents);
  std::vector<double> distances;
  measured::agreed([&] {
    distances = distances_of(t, root);
    check_edges(rows, g.first, distances);
  });
  return distances;
}

}  // namespace sssp
