// SPDX-License-Identifier: Apache-2.0
// Small blocks of memory for what threads are made of: taken and given back at the worker that
// happens to run, without a lock.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include "ramjet/ult/detail/worker.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult::detail {

// Which free list a block is of: the classes of blocks of kBlockBytesMin << class bytes, and
// descriptors, which stay descriptors for ever: visit_descriptors finds them by their addresses.
inline constexpr unsigned kDescriptors = kBlockClasses;

RAMJET_COLD void refill(free_list& list, unsigned kind);
RAMJET_COLD void shrink(free_list& list, unsigned kind);
inline constexpr std::uint32_t kBatch = 2048;  // a worker keeps up to twice as many to itself

template <class T>
RAMJET_INLINE T* take(free_list& list, unsigned kind) {
  if (list.first == nullptr) [[unlikely]]
    refill(list, kind);
  linked* block = list.first;
  list.first = block->next;
  --list.count;
  return static_cast<T*>(block);
}

RAMJET_INLINE void give(free_list& list, linked* block, unsigned kind) {
  if (list.count >= kBatch) [[unlikely]]
    shrink(list, kind);
  block->next = list.first;
  list.first = block;
  ++list.count;
}

// Which list serves blocks of `bytes`; kBlockClasses: the heap does.
constexpr unsigned block_class(std::size_t bytes) noexcept {
  unsigned c = 0;
  while (c < kBlockClasses && (kBlockBytesMin << c) < bytes) ++c;
  return c;
}

// Blocks are as aligned as they are large, up to a line.
template <class T>
constexpr bool fits_block = block_class(sizeof(T)) < kBlockClasses &&
                            alignof(T) <= kBlockBytesMin << block_class(sizeof(T)) &&
                            alignof(T) <= kCacheLineBytes;

// Raw memory for a T, at an open worker.
template <class T>
RAMJET_INLINE void* allocate(worker* w) {
  constexpr unsigned c = block_class(sizeof(T));
  if constexpr (fits_block<T>) {
    return take<linked>(w->blocks[c], c);
  } else {
    return ::operator new(sizeof(T), std::align_val_t{alignof(T)});
  }
}
template <class T>
RAMJET_INLINE void release(worker* w, void* block) {
  constexpr unsigned c = block_class(sizeof(T));
  if constexpr (fits_block<T>) {
    give(w->blocks[c], static_cast<linked*>(block), c);
  } else {
    ::operator delete(block, std::align_val_t{alignof(T)});
  }
}

// What runs no code of the user's to become a callable or an argument of a thread, or a task.
template <class A>
constexpr bool is_plain = std::is_trivially_constructible_v<std::decay_t<A>, A&&>;

}  // namespace ramjet::ult::detail

#pragma GCC visibility pop
