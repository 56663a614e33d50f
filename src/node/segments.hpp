// SPDX-License-Identifier: Apache-2.0
// How a rank maps its node's memory object: the lower part anywhere, the segments at addresses that
// are the same in every rank, and its own segment once more, at the window.
//
//   window_base            segment_base      + segment_bytes    + 2 * segment_bytes
//   +------------+   ...   +-----------------+------------------+------------------+--
//   | my segment |         | rank 0's        | rank 1's         | rank 2's         | ...
//   +------------+         +-----------------+------------------+------------------+--
//
// The addresses of ranks on other nodes are reserved: an access there faults. The first bytes of
// each segment are the program's (program_part.hpp).
//
// Threads: the one that joins and leaves.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "node/board.hpp"
#include "node/program_part.hpp"

namespace ramjet::node {

// Address space that all segments of a job may take together.
inline constexpr std::uint64_t kSegmentsBytesMax = std::uint64_t{1} << 46;

// Where the window and the segments lie in every rank: clear of executables, libraries, stacks and
// of the shadow memory of a sanitizer that the program was built with, be the library or not. What
// is between them bounds a segment.
struct address_plan {
  std::uint64_t window_base;
  std::uint64_t segment_base;
  std::uint64_t segment_bytes_max() const { return segment_base - window_base; }
};
inline constexpr address_plan kAddresses{0x1100'0000'0000, 0x1500'0000'0000};
// The thread and the memory sanitizer keep most addresses for themselves, and some emulators have a
// table of them.
inline constexpr address_plan kLowAddresses{0x08'0000'0000, 0x10'0000'0000};

// Whether one of these sanitizers is in this process, or its program asks for low addresses.
bool addresses_are_scarce() noexcept;
inline const address_plan& addresses() noexcept {
  return addresses_are_scarce() ? kLowAddresses : kAddresses;
}

// Address space of a segment where nobody says: the machine's memory, so that a segment is never
// what runs out first, within what 1024 ranks can map side by side.
std::uint64_t default_segment_bytes();

// Whether segments of `segment_bytes` can be had; if not, one sentence in `message`.
bool segment_fits(std::uint64_t segment_bytes, unsigned ranks, std::string& message);

// What to do where the address space is too small for this job: half a sentence, after a ';'.
std::string address_space_advice(const geometry& g);

// Maps the object for this rank, one of the job's; node_of: the node of each. The variables of the
// program move into its segment. False and one sentence if that fails; then nothing is unmapped,
// and the process cannot join.
bool map_object(int object, const geometry& g, unsigned rank,
                std::span<const std::uint16_t> node_of, const program_part& program, board*& mapped,
                std::string& message);
// A core dump of this process has of that memory the board, the program's variables and its stack.
// The system makes every page of what is dumped, touched or not, so to dump all would take the
// machine's memory. See dumped_pages.hpp for the rest of this rank's segment.
void choose_dumped(const geometry& g, const program_part& program, board* mapped) noexcept;
// The variables of the program stay, and the whole window if it has a stack there: the end of main
// still needs them. With them stays the object's memory.
void unmap_object(const geometry& g, const program_part& program, board* mapped) noexcept;

}  // namespace ramjet::node
