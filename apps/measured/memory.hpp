// SPDX-License-Identifier: Apache-2.0
// How much memory there is for a program's ranks.
#pragma once

#include <cstdint>

namespace measured {

// What can be had on this machine now, in bytes: three quarters of what is free, or of what control
// groups leave if that is less.
std::uint64_t free_memory();

// How many ranks share this machine's memory.
int ranks_here();

}  // namespace measured
