// SPDX-License-Identifier: Apache-2.0
// What a run found: for people, or for programs (JSON).
#pragma once

#include <string>

#include "measure.hpp"
#include "options.hpp"

namespace em3d {

std::string report(const options& o, int ranks, const measurement& m);

}  // namespace em3d
