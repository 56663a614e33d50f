// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/topology/pairs.hpp"

#include <array>

namespace characterize {
namespace {

constexpr std::size_t kKinds = std::size_t(sharing::other_socket) + 1;

hwloc_obj_t processor(hwloc_topology_t topology, int number) {
  return number < 0 ? nullptr : hwloc_get_pu_obj_by_os_index(topology, unsigned(number));
}

hwloc_obj_t above(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t of) {
  return hwloc_get_ancestor_obj_by_type(topology, type, of);
}

}  // namespace

const char* where_text(sharing s) {
  switch (s) {
    case sharing::core:
      return "the same core";
    case sharing::l2:
      return "the same L2 cache";
    case sharing::l3:
      return "the same L3 cache";
    case sharing::socket:
      return "the same socket";
    case sharing::other_numa:
      return "other NUMA node";
    case sharing::other_socket:
      return "other socket";
  }
  return "";
}

// A machine whose system names no sockets counts as one.
std::optional<sharing> shared_by(hwloc_topology_t topology, int first, int second) {
  const hwloc_obj_t a = processor(topology, first), b = processor(topology, second);
  if (a == nullptr || b == nullptr || a == b) return std::nullopt;
  const auto share = [&](hwloc_obj_type_t type) {
    const hwloc_obj_t of_a = above(topology, type, a);
    return of_a != nullptr && of_a == above(topology, type, b);
  };
  if (share(HWLOC_OBJ_CORE)) return sharing::core;
  if (share(HWLOC_OBJ_L2CACHE)) return sharing::l2;
  if (share(HWLOC_OBJ_L3CACHE)) return sharing::l3;
  if (above(topology, HWLOC_OBJ_PACKAGE, a) != above(topology, HWLOC_OBJ_PACKAGE, b))
    return sharing::other_socket;
  return hwloc_bitmap_intersects(a->nodeset, b->nodeset) != 0 ? sharing::socket
                                                              : sharing::other_numa;
}

std::vector<processor_pair> pairs_by_sharing(hwloc_topology_t topology,
                                             const std::vector<int>& processors) {
  std::array<std::optional<processor_pair>, kKinds> found;
  for (std::size_t i = 0; i < processors.size(); ++i)
    for (std::size_t k = i + 1; k < processors.size(); ++k)
      if (const auto shared = shared_by(topology, processors[i], processors[k]);
          shared && !found[std::size_t(*shared)])
        found[std::size_t(*shared)] = {*shared, processors[i], processors[k]};
  std::vector<processor_pair> pairs;
  for (const std::optional<processor_pair>& each : found)
    if (each) pairs.push_back(*each);
  return pairs;
}

}  // namespace characterize
