// SPDX-License-Identifier: Apache-2.0
// A one-dimensional array dealt out over all ranks in blocks: elements 0 to B - 1 on rank 0, the
// next B on rank 1, and after the last rank on rank 0 again. (Culler et al. 1993, Parallel
// Programming in Split-C, section 4: block-cyclic layouts.) A spread_array that is addressed by
// elements, and whose last block may be short.
//
//   auto a = ramjet::block_array<double>::all_malloc(1000, 64);
//   a.for_my_elements([](std::size_t i, double& x) { x = double(i); });
//   ramjet::barrier();
//   double there = a[321];
//
// Deaths: an access to an element of a dead rank on another node throws failure, as in gas.hpp.
// Threads: allocation is the main thread's of every rank; the rest any thread's. Cost: an element's
// place is three divisions; those of one's own block are next to each other in plain memory.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "ramjet/detail/base/check.hpp"
#include "ramjet/global_ptr.hpp"
#include "ramjet/job.hpp"
#include "ramjet/spread.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

template <class T>
class block_array {
  static_assert(std::is_trivially_copyable_v<T>,
                "the elements of a block_array are trivially copyable");

 public:
  // A view, as a spread_array is: copied freely, it owns nothing. A default-constructed one is
  // null.
  block_array() = default;

  // `elements` of T in blocks of `block_elements`, not initialised; in a frame, without
  // communication.
  block_array(spread_frame& frame, std::size_t elements, std::size_t block_elements)
      : blocks_(frame, {blocks_for(elements, block_elements)}, block_elements), size_(elements) {
    static_assert(alignof(T) <= 16);
  }
  // On the symmetric heap: collective, and a barrier. Null, of no elements, if there was no room.
  static block_array all_malloc(std::size_t elements, std::size_t block_elements) {
    static_assert(alignof(T) <= 64);
    block_array made;
    made.blocks_ =
        spread_array<T>::all_malloc({blocks_for(elements, block_elements)}, block_elements);
    if (made) made.size_ = elements;
    return made;
  }
  // Collective.
  void all_free() {
    blocks_.all_free();
    size_ = 0;
  }

  explicit operator bool() const noexcept { return bool(blocks_); }
  std::size_t size() const noexcept { return size_; }
  std::size_t block_elements() const noexcept { return blocks_.block_elements(); }

  // The element: read as a value, written by assignment, as *p of a global pointer.
  global_ref<T> operator[](std::size_t i) const { return *element(i); }
  // The pointer to it; its arithmetic stays inside the block.
  global_ptr<T> element(std::size_t i) const {
    check(i);
    return blocks_.block(i / block_elements()) + std::ptrdiff_t(i % block_elements());
  }
  int owner_of(std::size_t i) const {
    check(i);
    return int(i / block_elements() % std::size_t(ramjet::size()));
  }

  // Calls body(first, std::span<T>) for every block of this rank, with the index of its first
  // element.
  template <class Body>
  void for_my_blocks(Body&& body) const {
    blocks_.for_my_blocks([&](std::size_t s, T* block) {
      const std::size_t first = s * block_elements();
      const std::size_t rest = size_ - first;
      body(first, std::span<T>(block, rest < block_elements() ? rest : block_elements()));
    });
  }
  // Calls body(i, T&) for every element of this rank, i growing.
  template <class Body>
  void for_my_elements(Body&& body) const {
    for_my_blocks([&](std::size_t first, std::span<T> block) {
      for (std::size_t j = 0; j < block.size(); ++j) body(first + j, block[j]);
    });
  }

 private:
  static std::size_t blocks_for(std::size_t elements, std::size_t block_elements) {
    RAMJET_CHECK(block_elements != 0, "block_array: a block has at least one element");
    return elements / block_elements + (elements % block_elements != 0);
  }
  void check(std::size_t i) const {
    RAMJET_CHECK(i < size_, "block_array: an index is out of bounds");
  }

  spread_array<T> blocks_;
  std::size_t size_ = 0;
};

}  // namespace ramjet

#pragma GCC visibility pop
