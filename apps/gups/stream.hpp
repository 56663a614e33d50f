// SPDX-License-Identifier: Apache-2.0
// The stream of words that the HPC Challenge's RandomAccess defines: word k is x^k, as a polynomial
// over two elements modulo x^64 + x^2 + x + 1, bit i being the factor of x^i.
#pragma once

#include <cstdint>

namespace gups {

using word = std::uint64_t;

// x^(k + 1) from x^k.
constexpr word after(word a) {
  constexpr word kLowTerms = 7;
  return a << 1 ^ ((a >> 63) * kLowTerms);
}

// By squares, from anywhere: the start of a rank's part.
constexpr word word_at(std::uint64_t k) {
  const auto product = [](word a, word b) {
    word sum = 0;
    for (; b != 0; b >>= 1, a = after(a))
      if ((b & 1) != 0) sum ^= a;
    return sum;
  };
  word power = 1;
  for (word square = 2; k != 0; k >>= 1, square = product(square, square))
    if ((k & 1) != 0) power = product(power, square);
  return power;
}

}  // namespace gups
