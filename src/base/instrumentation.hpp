// SPDX-License-Identifier: Apache-2.0
// Tools that observe a process from inside: the run-time of the address or of the thread sanitizer,
// which a program brings along although this library was compiled without it, and valgrind. They
// have to be told what they cannot see: switches of stacks, and the order that atomic accesses of
// uninstrumented code establish between threads.
//
// find_tools() writes the state once, while the process has one thread that uses the library.
#pragma once

#include <cstddef>

namespace ramjet::base {

enum tool : unsigned {
  address_sanitizer = 1,
  thread_sanitizer = 2,
  valgrind = 4,  // any of its tools
  helgrind = 8,
  drd = 16,
};

// A set of `tool`; 0 before find_tools().
extern constinit unsigned found_tools;
void find_tools() noexcept;
inline bool is_present(unsigned tools) noexcept { return (found_tools & tools) != 0; }

void note_release_slow(const void* at) noexcept;
void note_acquire_slow(const void* at) noexcept;

// For the thread sanitizer: what this thread did before note_release(at) happens before what
// another thread does after note_acquire(at).
inline void note_release(const void* at) noexcept {
  if (is_present(thread_sanitizer)) [[unlikely]]
    note_release_slow(at);
}
inline void note_acquire(const void* at) noexcept {
  if (is_present(thread_sanitizer)) [[unlikely]]
    note_acquire_slow(at);
}

// Tells valgrind of a stack, which would otherwise take a switch to it for a large frame.
void register_stack(const void* low, const void* high) noexcept;

}  // namespace ramjet::base
