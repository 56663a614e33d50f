// SPDX-License-Identifier: Apache-2.0
#include "checking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/program.hpp"

namespace pagerank {
namespace {

bool is_near(double a, double b, double rounding) {
  return std::abs(a - b) <= rounding * std::max(a, b);
}

}  // namespace

summary summary_of(std::span<const double> scores) {
  summary s;
  for (std::size_t v = 0; v < scores.size(); ++v) {
    s.sum += scores[v];
    s.squares += scores[v] * scores[v];
    if (scores[v] <= s.first_score) continue;
    s.first = static_cast<graph::vertex>(v);
    s.first_score = scores[v];
  }
  return s;
}

double rounding_of(std::uint64_t vertices) {
  return 1e-9 + static_cast<double>(vertices) * std::numeric_limits<double>::epsilon() / 2;
}

std::string fault_of(std::span<const double> scores, std::span<const double> due) {
  const double rounding = rounding_of(scores.size());
  for (std::size_t v = 0; v < due.size(); ++v)
    if (!is_near(scores[v], due[v], rounding))
      return fmt::format("vertex {} has the score {}, not {}", v, scores[v], due[v]);
  const double sum = summary_of(scores).sum;
  if (!is_near(sum, 1, rounding)) return fmt::format("the scores come to {}, not 1", sum);
  return {};
}

std::vector<double> scores_of_all(const graph::spread_graph& g, std::span<const double> mine) {
  std::vector<double> all(g.vertices);
  const std::vector<std::size_t> counts = graph::counts_of_all(mine.size());
  measured::require(
      ramjet::all_gather(mine, std::span<double>(all), std::span<const std::size_t>(counts)));
  return all;
}

}  // namespace pagerank
