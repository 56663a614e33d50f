// SPDX-License-Identifier: Apache-2.0
// What a run found, on stdout: for people, or for programs (JSON).
#pragma once

#include "measure.hpp"
#include "options.hpp"

namespace em3d {

// Throws std::system_error if standard output does not take it.
void report(const options& o, int ranks, const measurement& m);

}  // namespace em3d
