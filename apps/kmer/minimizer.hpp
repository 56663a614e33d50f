// SPDX-License-Identifier: Apache-2.0
// Minimizers. Of the m-mers in a k-mer (canonical, in the order of a hash) the least one is the
// k-mer's minimizer. Neighbours in a sequence mostly share it, and so do a k-mer and its reverse
// complement; so it says which bin a k-mer belongs to, and a stretch of neighbours goes there as
// one (a super-k-mer).
#pragma once

#include <algorithm>
#include <cstdint>

namespace kmer {

// Short ones are shared by longer stretches; long ones are spread more evenly over bins.
inline constexpr unsigned kMinimizerMax = 9;

inline unsigned minimizer_length(unsigned k) { return std::min(kMinimizerMax, (k + 1) / 2); }

// The place of an m-mer in the order; different for different ones.
inline std::uint32_t rank_of_mmer(std::uint32_t canonical) {
  std::uint32_t x = (canonical + 0x3C6EF372u) * 0x9E3779B1u;
  x ^= x >> 15;
  return x * 0x85EBCA6Bu;
}

// The bin of the k-mers whose minimizer has this place. Least ones have small numbers, hence the
// second mixing.
inline std::uint32_t bin_of_rank(std::uint32_t rank, std::uint32_t bins) {
  std::uint32_t x = (rank ^ rank >> 16) * 0xC2B2AE35u;
  x ^= x >> 13;
  x *= 0x27D4EB2Fu;
  return static_cast<std::uint32_t>(std::uint64_t{x} * bins >> 32);
}

}  // namespace kmer
