// SPDX-License-Identifier: Apache-2.0
// What a simulation found: for people, or for programs (JSON).
#pragma once

#include <string>

#include "options.hpp"
#include "simulation.hpp"

namespace wator {

std::string report(const options& o, const outcome& found, int ranks);

}  // namespace wator
