// SPDX-License-Identifier: Apache-2.0
// What a run found: for people, or for programs (JSON).
#pragma once

#include <string>

#include "options.hpp"
#include "updating.hpp"

namespace histogram {

std::string report(const options& o, const result& r, int ranks);

}  // namespace histogram
