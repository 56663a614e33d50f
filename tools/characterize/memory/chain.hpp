// SPDX-License-Identifier: Apache-2.0
// Chains of dependent reads: each element of memory holds the address of the next, so that a read
// begins when the one before it has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tools/characterize/memory/area.hpp"

namespace characterize {

using offsets = std::vector<std::uint32_t>;  // in an area, in bytes, each a multiple of a pointer's
using random_bits = std::mt19937_64;

// Every `step` bytes of the first `bytes`, in an order that no prefetcher knows: shuffled within
// windows of a few pages, so that the pages in use at a time are few, and the windows shuffled.
offsets shuffled(std::size_t bytes, std::size_t step, random_bits& random);

class chain {
 public:
  // Links the area at these offsets to a ring, in their order, and goes through it once.
  chain(const area& in, const offsets& order);

  // Nanoseconds a read, over `reads` reads from where the last call ended.
  double read_ns(std::size_t reads);
  std::size_t length() const { return length_; }

 private:
  const std::byte* at_;
  std::size_t length_;
};

// Nanoseconds a read of 8 bytes at each of these offsets, one after the other in the list and from
// its beginning again; reads do not wait for each other.
double gather_ns(const area& in, const offsets& places, std::size_t reads);

// Nanoseconds a write of 8 bytes, every `stride` bytes of the first `bytes`, in order; writes do
// not wait for each other.
double write_ns(const area& in, std::size_t bytes, std::size_t stride, std::size_t writes);

}  // namespace characterize
