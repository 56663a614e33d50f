// SPDX-License-Identifier: Apache-2.0
// Kronecker graphs as Graph500 defines them: each edge falls into a quadrant of the adjacency
// matrix, into a quadrant of that, and so on, with the probabilities 0.57, 0.19, 0.19 and 0.05; the
// vertices are then permuted. (Chakrabarti, Zhan and Faloutsos 2004, R-MAT; graph500.org.) Edge k
// is a function of the seed and k, so that ranks make their shares without a message, and the graph
// is the same for any number of them.
#pragma once

#include <array>
#include <cstdint>

#include "edge_share.hpp"

namespace graph {

struct kronecker {
  static constexpr std::uint64_t kScaleMax = 31;

  std::uint64_t scale = 18;  // 2^scale vertices
  std::uint64_t edge_factor = 16;
  std::uint64_t seed = 1;

  std::uint64_t vertices() const { return std::uint64_t{1} << scale; }
  std::uint64_t edges() const { return edge_factor << scale; }

  // Edge k before the vertices are permuted.
  edge edge_at(std::uint64_t k) const;
};

// One to one on the vertices of a Kronecker graph.
class permutation {
 public:
  explicit permutation(const kronecker& k);
  vertex operator()(vertex v) const;

 private:
  struct round {
    std::uint64_t factor, offset;  // the factor is odd: it can be undone
  };

  std::array<round, 3> rounds_;
  std::uint64_t mask_;
  unsigned fold_;
};

// The rank-th of `ranks` shares.
edge_share share_of(const kronecker& k, int rank, int ranks);

}  // namespace graph
