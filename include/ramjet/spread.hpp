// SPDX-License-Identifier: Apache-2.0
// Memory at the same address in every rank, and arrays spread over it: block s of an array lives on
// rank s mod size(), at base + s / size() blocks. (Culler et al. 1993, Parallel Programming in
// Split-C, section 4.)
//
// The symmetric heap grows from the upper end of every segment downwards, by collective calls. The
// symmetric stack begins in the middle and grows upwards, without any communication. The heap takes
// memory below the middle, too, where segment_allocate has left it in all ranks (segment.hpp); a
// stack that is empty then begins lower.
//
// Threads: the main thread of every rank, in the same order everywhere; a view of an array is any
// thread's. Not inside a handler. Cost: the heap, an all_reduce; the stack, a subtraction; the
// address of a block, a division.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include "ramjet/detail/base/check.hpp"
#include "ramjet/detail/base/owned.hpp"
#include "ramjet/global_ptr.hpp"
#include "ramjet/job.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

// --- The symmetric heap -------------------------------------------------------------------------

// Collective, and a barrier: `blocks` blocks of `block_bytes`, block 0 on rank 0, the same pointer
// everywhere; aligned to 64 bytes, not initialised; blocks of 0 bytes have an address too. Null,
// everywhere, if there is no room in some rank, or a rank died. Ranks that ask for different things
// end with one line.
spread_ptr<void> all_spread_malloc(std::size_t blocks, std::size_t block_bytes);
// Blocks of one T each; T may be an array.
template <class T>
  requires std::is_trivially_copyable_v<T>
spread_ptr<T> all_spread_malloc(std::size_t blocks) {
  static_assert(alignof(T) <= 64);
  return spread_ptr<T>(all_spread_malloc(blocks, sizeof(T)));
}
// Collective, and a barrier: gives back what all_spread_malloc returned; null is allowed.
void all_spread_free(spread_ptr<void> blocks);

// --- The symmetric stack ------------------------------------------------------------------------

// Automatic spread arrays: what was allocated in a frame goes with it, in every rank at its own
// time. Frames nest like the scopes that they are objects of. The memory stays mapped and is not
// cleared, so a slower rank may still read it. Aligned to 16 bytes; the process ends if there is no
// room.
class spread_frame {
 public:
  spread_frame();
  ~spread_frame();
  spread_frame(const spread_frame&) = delete;
  spread_frame& operator=(const spread_frame&) = delete;

  spread_ptr<void> allocate(std::size_t blocks, std::size_t block_bytes);
  template <class T>
    requires std::is_trivially_copyable_v<T>
  spread_ptr<T> allocate(std::size_t blocks) {
    static_assert(alignof(T) <= 16);
    return spread_ptr<T>(allocate(blocks, sizeof(T)));
  }

 private:
  std::uint64_t mark_;  // the stack's end when the frame began, and again when it ends
};

// Bytes on this rank's symmetric stack; the same in every rank at the same place in the program.
std::size_t spread_stack_bytes() noexcept;

// --- My share -----------------------------------------------------------------------------------

// Calls body(i) for i = rank(), rank() + size(), ... below n: the blocks that live here.
template <class Body>
void for_my_1d(std::size_t n, Body&& body) {
  for (auto i = std::size_t(rank()); i < n; i += std::size_t(size())) body(i);
}
// Calls body(i, j) for those of the m x n elements, in the order of their rows, that live here.
template <class Body>
void for_my_2d(std::size_t m, std::size_t n, Body&& body) {
  for_my_1d(m * n, [&](std::size_t s) { body(s / n, s % n); });
}

// A view of an array of blocks over all ranks: block dimensions known at run time, row-major, each
// block `block_elements` T. Copied freely; it owns nothing.
template <class T>
  requires std::is_trivially_copyable_v<T>
class spread_array {
 public:
  using dimensions = std::initializer_list<std::size_t>;

  spread_array() = default;
  spread_array(spread_ptr<void> base, dimensions bounds, std::size_t block_elements = 1)
      : base_(base), bounds_(bounds), block_elements_(block_elements) {}

  // In a frame; without communication.
  spread_array(spread_frame& frame, dimensions bounds, std::size_t block_elements = 1)
      : spread_array(nullptr, bounds, block_elements) {
    base_ = frame.allocate(blocks(), block_bytes());
  }
  // On the symmetric heap: collective. Null if there was no room.
  static spread_array all_malloc(dimensions bounds, std::size_t block_elements = 1) {
    spread_array made(nullptr, bounds, block_elements);
    made.base_ = all_spread_malloc(made.blocks(), made.block_bytes());
    return made;
  }
  void all_free() { all_spread_free(std::exchange(base_, nullptr)); }

  explicit operator bool() const noexcept { return bool(base_); }
  std::size_t blocks() const noexcept {
    std::size_t product = 1;
    for (const std::size_t b : bounds_)
      RAMJET_CHECK(!__builtin_mul_overflow(product, b, &product), "spread_array: bounds too large");
    return product;
  }
  std::size_t block_elements() const noexcept { return block_elements_; }
  std::size_t block_bytes() const noexcept {
    std::size_t bytes = 0;
    RAMJET_CHECK(!__builtin_mul_overflow(block_elements_, sizeof(T), &bytes),
                 "spread_array: a block is too large");
    return bytes;
  }
  std::span<const std::size_t> bounds() const noexcept { return {bounds_.begin(), bounds_.size()}; }

  // The first element of a block: further subscripts stay on its rank. a(i, j)[k] is an element.
  template <class... Index>
  global_ptr<T> operator()(Index... index) const {
    RAMJET_CHECK(bool(base_), "this spread_array is null");
    RAMJET_CHECK(sizeof...(Index) == bounds_.size(), "spread_array: wrong number of subscripts");
    const std::size_t at[] = {std::size_t(index)...};
    std::size_t s = 0;
    for (std::size_t d = 0; d < sizeof...(Index); ++d) {
      RAMJET_CHECK(at[d] < bounds_[d], "spread_array: a subscript is out of bounds");
      s = s * bounds_[d] + at[d];
    }
    return block(s);
  }
  // The same by the block's number.
  global_ptr<T> block(std::size_t s) const noexcept {
    const auto ranks = std::size_t(size());
    return {int(s % ranks), local_block(s)};
  }
  // A block of this rank's, by its number; only those of this rank mean something.
  T* local_block(std::size_t s) const noexcept {
    auto* first = static_cast<std::byte*>(base_.local());
    return reinterpret_cast<T*>(first + s / std::size_t(size()) * block_bytes());
  }
  // Calls body(s, T* block) for every block that lives here.
  template <class Body>
  void for_my_blocks(Body&& body) const {
    RAMJET_CHECK(bool(base_), "this spread_array is null");
    for_my_1d(blocks(), [&](std::size_t s) { body(s, local_block(s)); });
  }

 private:
  spread_ptr<void> base_;
  detail::owned_array<std::size_t> bounds_;
  std::size_t block_elements_ = 1;
};

}  // namespace ramjet

#pragma GCC visibility pop
