// SPDX-License-Identifier: Apache-2.0
#include "serial.hpp"

#include <algorithm>

namespace pagerank {

using graph::vertex;

void pull(const graph::rows& rows, std::span<const double> parts, std::span<double> sums) {
  for (std::size_t k = 0; k < rows.count(); ++k) {
    double sum = 0;
    for (const vertex w : rows[k]) sum += parts[w];
    sums[k] = sum;
  }
}

double divide(const graph::rows& rows, std::span<const double> scores, std::span<double> parts) {
  double lost = 0;
  for (std::size_t k = 0; k < rows.count(); ++k) {
    const std::size_t edges = rows[k].size();
    if (edges == 0) lost += scores[k];
    parts[k] = edges == 0 ? 0 : scores[k] / static_cast<double>(edges);
  }
  return lost;
}

void score(std::span<const double> sums, double lost, std::uint64_t vertices,
           std::span<double> scores) {
  const double base = (1 - kDamping + kDamping * lost) / static_cast<double>(vertices);
  for (std::size_t k = 0; k < sums.size(); ++k) scores[k] = base + kDamping * sums[k];
}

void serial_ranker::rank(std::uint64_t iterations) {
  std::fill(scores_.begin(), scores_.end(), 1.0 / static_cast<double>(scores_.size()));
  for (std::uint64_t i = 0; i < iterations; ++i) {
    const double lost = divide(whole_, scores_, parts_);
    pull(whole_, parts_, sums_);
    score(sums_, lost, scores_.size(), scores_);
  }
}

}  // namespace pagerank
