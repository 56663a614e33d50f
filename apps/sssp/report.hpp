// SPDX-License-Identifier: Apache-2.0
// What a run found: for people, or for programs (JSON).
#pragma once

#include <string>

#include "measure.hpp"

namespace sssp {

std::string report(const options& o, const result& r, int ranks);

}  // namespace sssp
