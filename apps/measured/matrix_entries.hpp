// SPDX-License-Identifier: Apache-2.0
// The numbers of two matrices that anybody can generate again: whole ones from -4 to 4, so that
// their product is exact, in whatever order it is summed up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "random_words.hpp"

namespace measured {

class matrix_entries {
 public:
  explicit matrix_entries(std::uint64_t seed) : seed_(scrambled(seed + 1)) {}
  int a(std::size_t row, std::size_t column) const { return at(0, row, column); }
  int b(std::size_t row, std::size_t column) const { return at(1, row, column); }

 private:
  int at(std::uint64_t matrix, std::uint64_t row, std::uint64_t column) const {
    const std::uint64_t word = scrambled(seed_ ^ (matrix << 63 | row << 32 | column));
    return static_cast<int>((word >> 32) * 9 >> 32) - 4;
  }
  std::uint64_t seed_;
};

}  // namespace measured
