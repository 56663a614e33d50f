// SPDX-License-Identifier: Apache-2.0
// Unroll: as bundle, with a compute phase of four nodes at a time.
#include "../measured/program.hpp"
#include "versions.hpp"

namespace em3d {

void run_unroll(part& p, unsigned iterations) {
  leapfrog(p, iterations, [](field& to, const field& from) {
    for (const ghost& g : from.ghosts) *g.here = ramjet::read(g.value);
    update_unrolled(to.nodes);
    measured::require(ramjet::barrier());
  });
}

}  // namespace em3d
