// SPDX-License-Identifier: Apache-2.0
// One iteration over rows whose neighbours' parts are all in one array.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../graph/spread_graph.hpp"

namespace pagerank {

inline constexpr double kDamping = 0.85;

// Several sums side by side: an addition does not wait for the one before.
inline double sum_of(std::span<const graph::vertex> vertices, const double* parts) {
  constexpr std::size_t kSide = 4;
  std::array<double, kSide> sums{};
  std::size_t k = 0;
  for (; k + kSide <= vertices.size(); k += kSide)
    for (std::size_t side = 0; side < kSide; ++side) sums[side] += parts[vertices[k + side]];
  for (; k < vertices.size(); ++k) sums[0] += parts[vertices[k]];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// sums[k] = the parts of the neighbours of row k.
void pull(const graph::rows& rows, std::span<const double> parts, std::span<double> sums);

// parts[k] = the score of row k over its edges. Returns the scores of rows without one.
double divide(const graph::rows& rows, std::span<const double> scores, std::span<double> parts);

// New scores from the sums; `lost` is what all vertices without an edge have.
void score(std::span<const double> sums, double lost, std::uint64_t vertices,
           std::span<double> scores);

// What each vertex gets of what all give away, and of `lost`, which vertices without an edge have.
inline double base_of(double lost, std::uint64_t vertices) {
  return (1 - kDamping + kDamping * lost) / static_cast<double>(vertices);
}

// pull, score and divide in one pass: new scores from the parts of all vertices, and from those the
// next parts of these rows. Returns the new scores of rows without an edge.
double pull_and_divide(const graph::rows& rows, std::span<const double> parts, double base,
                       std::span<double> scores, std::span<double> next_parts);

// The same by one rank over the whole graph, without a message: the limit.
class serial_ranker {
 public:
  explicit serial_ranker(graph::rows whole)
      : whole_(std::move(whole)),
        scores_(whole_.count()),
        parts_(whole_.count()),
        next_parts_(whole_.count()) {}

  void rank(std::uint64_t iterations);
  const std::vector<double>& scores() const { return scores_; }

 private:
  graph::rows whole_;
  std::vector<double> scores_, parts_, next_parts_;
};

}  // namespace pagerank
