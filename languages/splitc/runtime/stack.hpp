// SPDX-License-Identifier: Apache-2.0
// The stack of splitc_main: in the segment, behind the symmetric variables, so that global pointers
// reach what is on it. Address space alone until it is used, with a guard below it.
// (Arpaci et al. 1995, section 3.1: stack, statics and heap of a processor are all reachable.)
//
//   window_base + variable_bytes        + kGuardBytes             + kGuardBytes + stack_bytes
//   +-----------------------------------+-------------------------+
//   | no access                         | stack, from its end on  |
//   +-----------------------------------+-------------------------+
//
// Threads: the main thread.
#pragma once

#include <cstdint>

namespace ramjet::splitc {

// Wide enough that a function with some MiB of arrays, which touches their far end first, does not
// reach the variables below.
inline constexpr std::uint64_t kGuardBytes = std::uint64_t{16} << 20;

// Inside a job that was joined with kGuardBytes + stack_bytes in the segment: calls f on that
// stack, and returns when it does. An overflow ends the process with one line. Once.
void run_on_segment_stack(std::uint64_t stack_bytes, void (*f)(void*), void* argument);

// From inside run_on_segment_stack: calls f on the stack that this was called on, below its frame.
// Elsewhere: just calls it.
void run_on_system_stack(void (*f)(void*), void* argument);

}  // namespace ramjet::splitc
