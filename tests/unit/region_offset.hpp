// SPDX-License-Identifier: Apache-2.0
// Where a region that is registered in this program lies in an object.
#pragma once

#include "lane/shared_lane.hpp"
#include "node/geometry.hpp"

inline std::uint64_t offset_of(const ramjet::node::geometry& layout,
                               const ramjet::node::region& which) {
  return ramjet::node::find_region(layout, which.name(), 0)->offset;
}
inline std::uint64_t ports_offset(const ramjet::node::geometry& layout) {
  return offset_of(layout, ramjet::node::ports);
}
inline std::uint64_t counters_offset(const ramjet::node::geometry& layout) {
  return offset_of(layout, ramjet::lane::counters);
}
