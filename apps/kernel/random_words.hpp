// SPDX-License-Identifier: Apache-2.0
// Seeded words that anybody can generate again: word k of a stream is scrambled(start + k * step).
// (Steele, Lea and Flood 2014, Fast Splittable Pseudorandom Number Generators: splitmix64.)
#pragma once

#include <cstdint>
#include <vector>

#include <ramjet/ramjet.hpp>

namespace kernel {

// One to one, and every bit of the result depends on every bit of x.
constexpr std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class random_words {
 public:
  // Stream `stream` of a seed.
  constexpr random_words(std::uint64_t seed, std::uint64_t stream)
      : state_(scrambled(scrambled(seed + kStep) + stream)) {}

  constexpr std::uint64_t next() { return scrambled(state_ += kStep); }
  // Below n, which is less than 2^32.
  constexpr std::uint64_t next_below(std::uint64_t n) { return (next() >> 32) * n >> 32; }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;  // odd, so all words come by
  std::uint64_t state_;
};

// Indices below `below`, from this rank's stream of the seed.
inline std::vector<std::uint32_t> random_indices(std::uint64_t seed, std::uint64_t count,
                                                 std::uint64_t below) {
  random_words words(seed, static_cast<std::uint64_t>(ramjet::rank()));
  std::vector<std::uint32_t> list(count);
  for (std::uint32_t& i : list) i = static_cast<std::uint32_t>(words.next_below(below));
  return list;
}

}  // namespace kernel
