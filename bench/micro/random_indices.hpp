// SPDX-License-Identifier: Apache-2.0
// Indices at random, the same in every run. (Steele, Lea and Flood 2014: splitmix64.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

// `count` indices below `below`, which is less than 2^32; others for another seed.
inline std::vector<std::uint32_t> random_indices(int seed, std::size_t count, std::size_t below) {
  std::vector<std::uint32_t> indices(count);
  std::uint64_t state = std::uint64_t(seed) << 48;
  for (std::uint32_t& i : indices) {
    std::uint64_t x = state += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    i = std::uint32_t(((x ^ (x >> 31)) >> 32) * below >> 32);
  }
  return indices;
}

}  // namespace bench
