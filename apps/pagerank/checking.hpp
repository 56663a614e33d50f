// SPDX-License-Identifier: Apache-2.0
// Whether scores are those that are due. They are sums in any order: equal but for rounding.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../graph/spread_graph.hpp"

namespace pagerank {

struct summary {
  double sum = 0;  // of all scores: 1
  double squares = 0;
  std::uint64_t first = 0;  // the vertex of the highest score; in a report, its name
  double first_score = 0;
};
summary summary_of(std::span<const double> scores);

// By how much a score, and the sum of all, may be off: relative. Each may have an error of half the
// machine's epsilon for each score that went into a plain sum.
double rounding_of(std::uint64_t vertices);

// What is wrong with scores that should be `due`, or come to 1; empty if nothing is.
std::string fault_of(std::span<const double> scores, std::span<const double> due);

// The scores of all vertices, in all ranks. Collective.
std::vector<double> scores_of_all(const graph::spread_graph& g, std::span<const double> mine);

}  // namespace pagerank
