// SPDX-License-Identifier: Apache-2.0
// Graph500's checks of a tree of shortest ways (graph/tree.hpp) where a file gives the edges real
// lengths. The shortest of parallel edges counts.
#pragma once

#include <span>
#include <vector>

#include "../graph/spread_graph.hpp"
#include "weighted_rows.hpp"

namespace sssp {

// The distances of all vertices by the parents and the lengths alone; kFarthest where there is no
// parent. Parents and rows are this rank's. Throws measured::failure in all ranks if the parents
// are no tree of shortest ways with this root. Collective.
std::vector<double> checked_distances(const graph::spread_graph& g,
                                      const weighted_rows<double>& rows,
                                      std::span<const graph::vertex> parents, graph::vertex root);

}  // namespace sssp
