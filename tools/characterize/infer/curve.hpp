// SPDX-License-Identifier: Apache-2.0
// What a curve of latencies says of the machine that it was taken on. Pure functions of the
// numbers, so that they can be tried on machines that are made up.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace characterize {

struct point {
  double x = 0;
  double ns = 0;
};
using curve = std::vector<point>;  // x grows

// A stretch over which the latency hardly depends on the size.
struct level {
  double ns = 0;
  // The size from which on the next level is felt; none for the last.
  std::optional<double> capacity;
};

// The levels of a memory hierarchy, from latencies by size with at least two points an octave.
// Noise that only adds does little: a point counts as no slower than what comes after it.
std::vector<level> find_levels(const curve& by_size);

// The x of the first point that is slower than the first by the factor, or none.
std::optional<double> first_slower(std::span<const point> points, double factor);

// The smallest x from which on all points are within the tolerance of the last.
double flat_from(std::span<const point> points, double tolerance);

}  // namespace characterize
