// SPDX-License-Identifier: Apache-2.0
// What an address is in this process that is in no segment: for the line that refuses it as a
// target.
#pragma once

#include <cstdint>
#include <string>

namespace ramjet::gas {

// "; it is ... here: ...", or nothing where no memory is.
std::string kind_of_memory(std::uint64_t address);

}  // namespace ramjet::gas
