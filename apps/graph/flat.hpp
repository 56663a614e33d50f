// SPDX-License-Identifier: Apache-2.0
// Random graphs whose edges are all equally likely, for any number of vertices (Erdos and Renyi
// 1959), and permutations of such. All of them are functions of the seed, as Kronecker graphs are.
#pragma once

#include <bit>
#include <cstdint>

#include "../measured/random_words.hpp"
#include "edge_share.hpp"
#include "kronecker.hpp"

namespace graph {

struct flat {
  std::uint64_t vertices, edges, seed;

  edge edge_at(std::uint64_t k) const {
    measured::random_words words({seed, k});
    const auto draw = [&] { return static_cast<vertex>(words.next_below(vertices)); };
    const vertex a = draw();
    return {a, draw()};
  }
};

// The rank-th of `ranks` shares.
inline edge_share share_of(const flat& f, int rank, int ranks) {
  edge_share share{.vertices = f.vertices, .edges = f.edges, .mine = {}};
  for (auto k = static_cast<std::uint64_t>(rank); k < f.edges;
       k += static_cast<std::uint64_t>(ranks))
    share.mine.push_back(f.edge_at(k));
  return share;
}

// One to one on numbers below `count`: that of the next power of two, again and again until a
// number is below.
class any_permutation {
 public:
  any_permutation(std::uint64_t count, std::uint64_t seed)
      : count_(count),
        permuted_(kronecker{.scale = static_cast<std::uint64_t>(std::bit_width(count)),
                            .edge_factor = 1,
                            .seed = seed}) {}

  vertex operator()(vertex v) const {
    do v = permuted_(v);
    while (v >= count_);
    return v;
  }

 private:
  std::uint64_t count_;
  permutation permuted_;
};

}  // namespace graph
