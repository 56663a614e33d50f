// SPDX-License-Identifier: Apache-2.0
#include "numbering.hpp"

#include <algorithm>

#include "../measured/ownership.hpp"

namespace graph {
namespace {

// From the greatest degree down, equal ones in the order of their numbers.
std::vector<vertex> sorted_by_degree(std::span<const vertex> degrees) {
  std::vector<std::uint64_t> keys(degrees.size());
  for (std::size_t v = 0; v < keys.size(); ++v)
    keys[v] = std::uint64_t{UINT32_MAX - degrees[v]} << 32 | v;
  std::sort(keys.begin(), keys.end());
  return {keys.begin(), keys.end()};  // their lower halves
}

}  // namespace

std::vector<vertex> degrees_of(const edge_share& share) {
  std::vector<vertex> degrees(share.vertices);
  for (const edge& e : share.mine) {
    ++degrees[e.a];
    ++degrees[e.b];
  }
  return degrees;
}

std::vector<vertex> numbers_by_degree(std::span<const vertex> degrees, int ranks) {
  const measured::ownership owners(degrees.size(), ranks);
  std::vector<std::uint64_t> next(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    next[static_cast<std::size_t>(rank)] = owners.begin_of(rank);
  std::vector<vertex> numbers(degrees.size());
  int rank = 0;
  for (const vertex v : sorted_by_degree(degrees)) {
    while (next[static_cast<std::size_t>(rank)] == owners.begin_of(rank + 1))
      rank = (rank + 1) % ranks;
    numbers[v] = static_cast<vertex>(next[static_cast<std::size_t>(rank)]++);
    rank = (rank + 1) % ranks;
  }
  return numbers;
}

void renumber(std::span<edge> edges, std::span<const vertex> numbers) {
  for (edge& e : edges) e = {numbers[e.a], numbers[e.b]};
}

}  // namespace graph
