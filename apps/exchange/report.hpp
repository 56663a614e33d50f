// SPDX-License-Identifier: Apache-2.0
// What a run found: for people, or for programs (JSON).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options.hpp"

namespace exchange {

struct result {
  std::vector<double> seconds;  // by way
  digest keys;  // of all ranks
};

std::string report(const options& o, const result& r, int ranks);

}  // namespace exchange
