// SPDX-License-Identifier: Apache-2.0
// Which processors of a machine share what: messages between two ranks cost by where these are, so
// one pair of each kind is measured. Pure functions of a topology, so that they can be tried on
// machines that are made up.
#pragma once

#include <hwloc.h>

#include <optional>
#include <vector>

namespace characterize {

// The nearest thing that two processors share.
enum class sharing {
  core,          // two hardware threads of it
  l2,            // caches
  l3,
  socket,        // and its NUMA node
  other_numa,    // the socket, but each has a NUMA node of its own
  other_socket,  // the machine
};

const char* where_text(sharing s);  // "the same core"

// Of processors by the system's numbers; nothing if the topology lacks one of them, or they are the
// same one.
std::optional<sharing> shared_by(hwloc_topology_t topology, int first, int second);

struct processor_pair {
  sharing shared = sharing::core;
  int first = 0, second = 0;
};

// One pair of each kind that there is among the processors, the nearest kind first. Of several the
// one whose processors come first.
std::vector<processor_pair> pairs_by_sharing(hwloc_topology_t topology,
                                             const std::vector<int>& processors);

}  // namespace characterize
