// SPDX-License-Identifier: Apache-2.0
// A set of vertices, a bit for each of the graph: of 2^18 vertices it fits the first cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "edges.hpp"

namespace graph {

class vertex_set {
 public:
  explicit vertex_set(std::uint64_t vertices) : words_(vertices / kWordBits + 1) {}

  // The words, for a loop that asks often.
  std::span<const std::uint64_t> words() const { return words_; }
  static bool is_in(std::span<const std::uint64_t> words, vertex v) {
    return (words[v / kWordBits] >> v % kWordBits & 1) != 0;
  }
  bool has(vertex v) const { return is_in(words_, v); }
  void add(vertex v) { words_[v / kWordBits] |= std::uint64_t{1} << v % kWordBits; }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

 private:
  static constexpr unsigned kWordBits = 64;

  std::vector<std::uint64_t> words_;
};

}  // namespace graph
