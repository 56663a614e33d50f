// SPDX-License-Identifier: Apache-2.0
// Whether labels are those of components: the ends of each edge have the same one, and a label is a
// vertex that is its own, none greater. That no label has two components, only the comparison with
// a serial program shows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../graph/spread_graph.hpp"

namespace components {

// What is wrong at these rows, of which the first is that of vertex `first`; empty if nothing is.
std::string fault_at(const graph::rows& mine, graph::vertex first,
                     std::span<const graph::vertex> labels_of_all);

struct summary {
  std::uint64_t components = 0;
  std::uint64_t largest = 0;  // its vertices
  std::uint64_t checksum = 0;  // of the names of vertices and of their labels

  friend bool operator==(const summary&, const summary&) = default;
};
summary summary_of(std::span<const graph::vertex> labels_of_all, const graph::vertex_names& names);

// Checks the labels, of which this rank has some. Throws measured::failure in all ranks.
// Collective.
summary checked(const graph::spread_graph& g, std::span<const graph::vertex> labels);

}  // namespace components
