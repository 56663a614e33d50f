// SPDX-License-Identifier: Apache-2.0
// How this rank's segment is divided. segment_allocate's own part grows from below, the symmetric
// part from above, and both may use what is free. Offsets from the segment's start:
//
//   0         program_bytes     end of the own part     floor          ceiling      segment_bytes
//   +---------+-----------------+-----------------------+--------------+------------+
//   | program | own part        | free                  | symmetric, free           | symmetric  |
//   +---------+-----------------+-----------------------+--------------+------------+
//
// The floor is the same in every rank: what is symmetric lies above it, and no rank's own part
// passes it without leave. Where nothing symmetric can come up without a collective call, the own
// part may go on as far as the ceiling. floor <= ceiling. The symmetric part says where both are;
// a collective call that moves the floor holds the own part meanwhile.
// Owned by the rank's one allocating thread.
#pragma once

#include <cstdint>

namespace ramjet::gas {

// Where the floor is at first, and while nothing is symmetric: half of what the program leaves.
std::uint64_t first_floor() noexcept;

void divide_segment(std::uint64_t floor, std::uint64_t ceiling) noexcept;

// Whether the own part ends at the floor, or could be made to.
bool own_part_keeps_to(std::uint64_t floor) noexcept;

// Makes the own part as small as what is allocated there and keeps it so until it is released.
// Where it ends.
std::uint64_t hold_own_part() noexcept;
void release_own_part() noexcept;

}  // namespace ramjet::gas
