// SPDX-License-Identifier: Apache-2.0
// What a sweep found: for people, or for programs (JSON).
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "sweep.hpp"

namespace matmul {

std::string report(const options& o, const std::vector<row>& rows, int ranks);

}  // namespace matmul
