// SPDX-License-Identifier: Apache-2.0
// Small blocks of memory for what threads are made of: taken and given back at the worker that
// happens to run, without a lock.
#pragma once

#include <new>
#include <utility>

#include "ramjet/ult/detail/worker.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult::detail {

RAMJET_COLD void refill(free_list& list, std::size_t block_bytes);
RAMJET_COLD void shrink(free_list& list, std::size_t block_bytes);
inline constexpr std::uint32_t kBatch = 2048;  // a worker keeps up to twice as many to itself

template <class T>
RAMJET_INLINE T* take(free_list& list, std::size_t bytes) {
  if (list.first == nullptr) [[unlikely]]
    refill(list, bytes);
  linked* block = list.first;
  list.first = block->next;
  --list.count;
  return static_cast<T*>(block);
}

RAMJET_INLINE void give(free_list& list, linked* block, std::size_t bytes) {
  if (list.count >= kBatch) [[unlikely]]
    shrink(list, bytes);
  block->next = list.first;
  list.first = block;
  ++list.count;
}

// Which list serves so many bytes; kBlockClasses: the heap does.
constexpr unsigned block_class(std::size_t bytes) noexcept {
  unsigned c = 0;
  while (c < kBlockClasses && (kBlockBytesMin << c) < bytes) ++c;
  return c;
}

// Raw memory for a T, at an open worker.
template <class T>
RAMJET_INLINE void* allocate(worker* w) {
  constexpr unsigned c = block_class(sizeof(T));
  if constexpr (c < kBlockClasses && alignof(T) <= kBlockBytesMin) {
    return take<linked>(w->blocks[c], kBlockBytesMin << c);
  } else {
    return ::operator new(sizeof(T), std::align_val_t{alignof(T)});
  }
}
template <class T>
RAMJET_INLINE void release(worker* w, void* block) {
  constexpr unsigned c = block_class(sizeof(T));
  if constexpr (c < kBlockClasses && alignof(T) <= kBlockBytesMin) {
    give(w->blocks[c], ::new (block) linked, kBlockBytesMin << c);
  } else {
    ::operator delete(block, std::align_val_t{alignof(T)});
  }
}

}  // namespace ramjet::ult::detail

#pragma GCC visibility pop
