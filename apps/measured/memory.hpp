// SPDX-License-Identifier: Apache-2.0
// How much memory there is for a program's ranks.
#pragma once

#include <cstdint>
#include <string>

namespace measured {

// What can be had on this machine now, in bytes: three quarters of what is free, or of what control
// groups leave if that is less.
std::uint64_t free_memory();

// How many ranks share this machine's memory.
int ranks_here();

// Throws failure in all ranks if some machine has less memory free than its ranks need. Each needs
// at least `bytes_of_rank` for `what`; `sized_by` names the options that ask for less. Collective.
void check_memory(double bytes_of_rank, const std::string& what, const char* sized_by);

}  // namespace measured
