// SPDX-License-Identifier: Apache-2.0
#include "serial.hpp"

#include <algorithm>

namespace pagerank {

void pull(const graph::rows& rows, std::span<const double> parts, std::span<double> sums) {
  for (std::size_t k = 0; k < rows.count(); ++k) sums[k] = sum_of(rows[k], parts.data());
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
  const double base = base_of(lost, vertices);
  for (std::size_t k = 0; k < sums.size(); ++k) scores[k] = base + kDamping * sums[k];
}

double pull_and_divide(const graph::rows& rows, std::span<const double> parts, double base,
                       std::span<double> scores, std::span<double> next_parts) {
  double lost = 0;
  for (std::size_t k = 0; k < rows.count(); ++k) {
    const std::span<const graph::vertex> row = rows[k];
    const double score = base + kDamping * sum_of(row, parts.data());
    if (row.empty()) lost += score;
    next_parts[k] = row.empty() ? 0 : score / static_cast<double>(row.size());
    scores[k] = score;
  }
  return lost;
}

void serial_ranker::rank(std::uint64_t iterations) {
  std::fill(scores_.begin(), scores_.end(), 1.0 / static_cast<double>(scores_.size()));
  double lost = divide(whole_, scores_, parts_);
  for (std::uint64_t i = 0; i < iterations; ++i) {
    lost = pull_and_divide(whole_, parts_, base_of(lost, scores_.size()), scores_, next_parts_);
    parts_.swap(next_parts_);
  }
}

}  // namespace pagerank
