// SPDX-License-Identifier: Apache-2.0
// The heap of a Split-C program: in its segment, since a global pointer may name anything of a
// processor. Small blocks come from chunks of one size, large ones from segment_allocate. What the
// process allocated before the job, in other threads, or within other libraries is not of it, so a
// caller that gives memory back has to ask.
//
// Threads: the main thread takes; any gives back.
#pragma once

#include <cstddef>

namespace ramjet::splitc {

// In a job, once; and before it is left: from then on nothing is of this heap, and nothing is taken
// away.
void open_heap();
void close_heap() noexcept;

// By window address; null if this thread cannot, or there is no room. `alignment`: a power of two.
void* take(std::size_t bytes, std::size_t alignment) noexcept;
// Bytes that can be used there; 0 if it is not of this heap. None of its blocks is that small.
std::size_t usable_bytes(const void* block) noexcept;
// Whether it was of this heap.
bool give_back(void* block) noexcept;

}  // namespace ramjet::splitc
