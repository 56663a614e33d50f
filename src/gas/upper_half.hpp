// SPDX-License-Identifier: Apache-2.0
// The upper half of this rank's segment belongs to segment_allocate, or to the symmetric heap and
// stack: the first to need it keeps it.
#pragma once

#include <cstdint>

namespace ramjet::gas {

// Where the upper half begins, in bytes from the segment's start; a multiple of a page.
std::uint64_t lower_half_bytes() noexcept;

// Claims the upper half for the symmetric heap and stack; false if segment_allocate has it.
bool keep_upper_half() noexcept;

}  // namespace ramjet::gas
