// SPDX-License-Identifier: Apache-2.0
// What the program itself has at the start of its segment: its symmetric variables, which the
// linker has placed at the window (symmetric.ld), and a stack. The variables begin their life as a
// private part of the process; when the segment is mapped, their contents move into it, and go on
// under the same addresses. (docs/adr/0014-variables-and-stacks-in-the-segment.md)
//
//   window_base         + variable_bytes       + bytes()
//   +-------------------+----------------------+----------------------------
//   | variables         | stack, if one is     | memory that is allocated ...
//   |                   | wanted, with guard   |
//   +-------------------+----------------------+----------------------------
//
// Threads: the one that joins and leaves; a forked child's only one.
#pragma once

#include <cstdint>
#include <string>

#include "node/geometry.hpp"

namespace ramjet::node {

struct program_part {
  std::uint64_t variable_bytes = 0;  // of whole pages
  std::uint64_t initial_bytes = 0;  // of these, what the program's file holds; the rest began as 0
  std::uint64_t stack_bytes = 0;  // of whole pages
  std::uint64_t hash = 0;  // of where the variables lie; 0: there are none

  std::uint64_t bytes() const noexcept { return variable_bytes + stack_bytes; }
};

// Finds the variables of this program, and makes room for a stack of `stack_bytes`. False and one
// sentence if the linker has placed them where no window is.
bool find_program_part(std::uint64_t stack_bytes, program_part& into, std::string& message);

// Copies the variables to this rank's segment, which is mapped at `segment`, and maps that part of
// the object over them. Nothing else of this process may run meanwhile that changes them.
bool move_variables(int object, const geometry& g, unsigned rank, const program_part& part,
                    std::string& message);

// A rank's segment, as a forked child of it finds it.
struct inherited_segment {
  int object = -1;
  std::uint64_t offset = 0;  // in the object
  std::uint64_t bytes = 0;
  std::uint64_t window = 0;  // address
  program_part part;
};
// In the child, which runs on another stack: makes the variables and the stack its own, as they are
// now; the stack is in use from its end down to this offset in the segment. The rest of the window
// is its own as far as it writes there. False and errno if that failed.
bool own_program_part(const inherited_segment& from, std::uint64_t stack_in_use) noexcept;

}  // namespace ramjet::node
