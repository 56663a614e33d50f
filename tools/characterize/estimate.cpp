// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "tools/characterize/stopwatch.hpp"

namespace characterize {
namespace {

bool is_narrow(const estimate& e, double width) {
  return e.median > 0 && (e.high - e.low) / e.median <= width;
}

}  // namespace

// How many of n samples lie below the true median is binomial; by its normal approximation the
// interval leaves 0.98 * sqrt(n) ranks to either side of the middle.
estimate estimate_of(std::vector<double>& samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const double n = double(samples.size());
  const double half = 0.98 * std::sqrt(n);
  const auto at = [&](double rank) { return samples[std::size_t(std::clamp(rank, 0.0, n - 1))]; };
  const std::size_t middle = samples.size() / 2;
  const double median =
      samples.size() % 2 != 0 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  return {median, at(std::floor((n - 1) / 2 - half)), at(std::ceil((n - 1) / 2 + half)),
          unsigned(samples.size())};
}

estimate measure(const std::function<double()>& sample, const patience& how_long) {
  const stopwatch time;
  std::vector<double> samples;
  estimate e;
  do {
    samples.push_back(sample());
    e = estimate_of(samples);
  } while (samples.size() < how_long.samples_min ||
           (!is_narrow(e, how_long.width) && time.seconds() < how_long.seconds));
  return e;
}

}  // namespace characterize
