// SPDX-License-Identifier: Apache-2.0
// Get: as unroll, with all reads under way at once.
#include "../measured/program.hpp"
#include "versions.hpp"

namespace em3d {

void run_get(part& p, unsigned iterations) {
  leapfrog(p, iterations, [](field& to, const field& from) {
    for (const ghost& g : from.ghosts) ramjet::get(g.here, g.value);
    ramjet::sync_all();
    update_unrolled(to.nodes);
    measured::require(ramjet::barrier());
  });
}

}  // namespace em3d
