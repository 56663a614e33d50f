// SPDX-License-Identifier: Apache-2.0
// Bundle: the values of other ranks are read into ghosts first, each once, one after the other. The
// compute phase then has plain pointers only.
#include "../measured/program.hpp"
#include "versions.hpp"

namespace em3d {

void run_bundle(part& p, unsigned iterations) {
  leapfrog(p, iterations, [](field& to, const field& from) {
    for (const ghost& g : from.ghosts) *g.here = ramjet::read(g.value);
    update_plain(to.nodes);
    measured::require(ramjet::barrier());
  });
}

}  // namespace em3d
