// SPDX-License-Identifier: Apache-2.0
// What a sweep found: for people, or for programs (JSON).
#pragma once

#include <string>

#include "options.hpp"
#include "sweep.hpp"

namespace agenda_matmul {

std::string report(const options& o, const findings& found, int ranks);

}  // namespace agenda_matmul
