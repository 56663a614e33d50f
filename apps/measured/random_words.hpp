// SPDX-License-Identifier: Apache-2.0
// Seeded words that anybody can generate again: word k of a stream is scrambled(start + k * step),
// where the start depends on every word of the stream's key.
// (Steele, Lea and Flood 2014, Fast Splittable Pseudorandom Number Generators: splitmix64.)
#pragma once

#include <cstdint>
#include <initializer_list>

namespace measured {

// One to one, and every bit of the result depends on every bit of x.
constexpr std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class random_words {
 public:
  // The stream of a key: the seed, and what tells the stream from others of that seed.
  constexpr explicit random_words(std::initializer_list<std::uint64_t> key) {
    for (const std::uint64_t part : key) state_ = scrambled(state_ + kStep + part);
  }

  constexpr std::uint64_t next() { return scrambled(state_ += kStep); }
  // Below n, which is at most 2^32.
  constexpr std::uint64_t next_below(std::uint64_t n) { return (next() >> 32) * n >> 32; }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;  // odd, so all words come by
  std::uint64_t state_ = 0;
};

}  // namespace measured
