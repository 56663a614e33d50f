// SPDX-License-Identifier: Apache-2.0
// The values of all nodes of the whole graph, and what is compared of them: bits, not magnitudes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph.hpp"

namespace em3d {

struct fields {
  // By kind: nodes of rank 0, of rank 1, and so on; g.ranks * g.nodes values.
  std::array<std::vector<double>, 2> values;
  std::vector<double>& of(kind k) { return values[std::size_t(k)]; }
  const std::vector<double>& of(kind k) const { return values[std::size_t(k)]; }
};

// A node whose value is not what it should be.
struct difference {
  kind of = kind::e;
  node_id node;
  double expected = 0;
  double found = 0;
};

// Depends on every bit of every value, and on their order.
std::uint64_t checksum(const fields& f);

// Nothing if all bits are the same. Both are fields of g.
std::optional<difference> first_difference(const graph& g, const fields& expected,
                                           const fields& found);

// For people.
std::string describe(const difference& d);

}  // namespace em3d
