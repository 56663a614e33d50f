// SPDX-License-Identifier: Apache-2.0
// Bulk: as put, but all values for one rank are gathered in a buffer and go there as one bulk put.
// A put and a barrier, not bulk_store and all_store_sync: the latter is a barrier too, and looks at
// every rank's count of stored bytes besides, while a sync here waits for nothing.
#include "../measured/program.hpp"
#include "versions.hpp"

namespace em3d {

void run_bulk(part& p, unsigned iterations) {
  leapfrog(p, iterations, [](field& to, field& from) {
    for (std::size_t i = 0; i < from.wanted.size(); ++i) from.buffer[i] = *from.wanted[i].here;
    for (const parcel& c : from.parcels)
      ramjet::bulk_put(c.ghosts, &from.buffer[c.first], c.count * sizeof(double));
    ramjet::sync_all();
    measured::require(ramjet::barrier());
    update_unrolled(to.nodes);
  });
}

}  // namespace em3d
