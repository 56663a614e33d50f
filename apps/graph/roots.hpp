// SPDX-License-Identifier: Apache-2.0
// The vertices at which searches begin.
#pragma once

#include <cstdint>
#include <vector>

#include "../measured/command_line.hpp"
#include "spread_graph.hpp"

namespace graph {

struct wanted_roots {
  std::uint64_t count = 8;  // at random
  std::vector<std::uint64_t> named;  // instead
};

// --roots and --root.
void add_options(measured::command_line& line, wanted_roots& wanted);

// Those that are named, else vertices at random from which edges lead on. Throws measured::failure
// in all ranks. Collective.
std::vector<vertex> roots_of(const wanted_roots& wanted, const spread_graph& g, std::uint64_t seed);

}  // namespace graph
