// SPDX-License-Identifier: Apache-2.0
// Simple: every edge is a blocking read of the value itself, wherever it is, and as often as it is
// needed.
#include "../measured/program.hpp"
#include "versions.hpp"

namespace em3d {

void run_simple(part& p, unsigned iterations) {
  leapfrog(p, iterations, [](field& to, const field&) {
    const far_edge* edge = to.far_edges.data();
    for (std::size_t i = 0; i < to.nodes.count; ++i) {
      double value = to.nodes.values[i];
      for (std::size_t k = 0; k < to.nodes.degree; ++k, ++edge)
        value = after_edge(value, edge->weight, ramjet::read(edge->from));
      to.nodes.values[i] = value;
    }
    measured::require(ramjet::barrier());
  });
}

}  // namespace em3d
