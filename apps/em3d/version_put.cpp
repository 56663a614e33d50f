// SPDX-License-Identifier: Apache-2.0
// Put: nobody asks. The owner of a value puts it into every ghost of it.
#include "../measured/program.hpp"
#include "versions.hpp"

namespace em3d {

void run_put(part& p, unsigned iterations) {
  leapfrog(p, iterations, [](field& to, const field& from) {
    for (const wanted_value& v : from.wanted) ramjet::put(v.ghost, *v.here);
    ramjet::sync_all();
    measured::require(ramjet::barrier());
    update_unrolled(to.nodes);
  });
}

}  // namespace em3d
