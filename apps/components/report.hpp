// SPDX-License-Identifier: Apache-2.0
// What a run found: for people, or for programs (JSON).
#pragma once

#include <string>

#include "../graph/input.hpp"
#include "../measured/ways.hpp"
#include "checking.hpp"
#include "options.hpp"

namespace components {

struct result {
  graph::size graph;
  measured::speeds speeds;
  summary found;
};

std::string report(const options& o, const result& r, int ranks);

}  // namespace components
