// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/infer/curve.hpp"

#include <algorithm>
#include <cmath>

namespace characterize {
namespace {

// Doublings of the latency for a doubling of the size: below it a curve is flat. Half-way to
// memory, where half of the accesses miss, the slope is above it.
constexpr double kFlatSlope = 0.25;
constexpr double kOctavesMin = 1;    // a level's length
constexpr double kLevelsApart = 1.25;  // the ratio of two levels' latencies, at least
// Where a level ends: its latency has grown by this part of what the next one takes more, or of
// itself, whichever is less.
constexpr double kNextLevelsPart = 0.25;
constexpr double kOwnPart = 0.5;

curve without_spikes(const curve& by_size) {
  curve smooth = by_size;
  for (std::size_t i = smooth.size(); i-- > 1;)
    smooth[i - 1].ns = std::min(smooth[i - 1].ns, smooth[i].ns);
  return smooth;
}

double octaves(const point& from, const point& to) { return std::log2(to.x / from.x); }
double slope(const point& from, const point& to) {
  return std::log2(to.ns / from.ns) / octaves(from, to);
}

struct stretch {
  std::size_t first, last;  // points
  double ns;                // the median
};

double middle_ns(const curve& c, std::size_t first, std::size_t last) {
  return c[first + (last - first) / 2].ns;  // the curve never falls
}

// The longest flat stretches, in their order.
std::vector<stretch> flat_stretches(const curve& c) {
  std::vector<stretch> found;
  for (std::size_t first = 0; first + 1 < c.size();) {
    std::size_t last = first;
    while (last + 1 < c.size() && slope(c[last], c[last + 1]) < kFlatSlope) ++last;
    if (last > first && octaves(c[first], c[last]) >= kOctavesMin)
      found.push_back({first, last, middle_ns(c, first, last)});
    first = last + 1;
  }
  return found;
}

void merge_alike(std::vector<stretch>& stretches, const curve& c) {
  for (std::size_t i = 1; i < stretches.size();) {
    stretch &a = stretches[i - 1], &b = stretches[i];
    if (b.ns > kLevelsApart * a.ns) {
      ++i;
      continue;
    }
    a = {a.first, b.last, middle_ns(c, a.first, b.last)};
    stretches.erase(stretches.begin() + std::ptrdiff_t(i));
  }
}

// Where the curve crosses ns between two points, by interpolation in the logarithm of the size.
double crossing(const curve& c, std::size_t from, double ns) {
  for (std::size_t i = from; i + 1 < c.size(); ++i) {
    const point &a = c[i], &b = c[i + 1];
    if (b.ns < ns) continue;
    if (a.ns >= ns || b.ns == a.ns) return a.x;
    return a.x * std::exp2(octaves(a, b) * (ns - a.ns) / (b.ns - a.ns));
  }
  return c.back().x;
}

}  // namespace

std::vector<level> find_levels(const curve& by_size) {
  const curve c = without_spikes(by_size);
  std::vector<stretch> stretches = flat_stretches(c);
  merge_alike(stretches, c);
  std::vector<level> levels;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    level l{stretches[i].ns, std::nullopt};
    if (i + 1 < stretches.size()) {
      const double more = std::min(kNextLevelsPart * (stretches[i + 1].ns - l.ns), kOwnPart * l.ns);
      const std::size_t middle = (stretches[i].first + stretches[i].last) / 2;
      l.capacity = crossing(c, middle, l.ns + more);
    }
    levels.push_back(l);
  }
  return levels;
}

std::optional<double> first_slower(std::span<const point> points, double factor) {
  for (const point& p : points)
    if (p.ns > factor * points.front().ns) return p.x;
  return std::nullopt;
}

double flat_from(std::span<const point> points, double tolerance) {
  std::size_t i = points.size() - 1;
  const double last = points[i].ns;
  while (i > 0 && std::abs(points[i - 1].ns - last) <= tolerance * last) --i;
  return points[i].x;
}

}  // namespace characterize
