// SPDX-License-Identifier: Apache-2.0
#include "harness/samples.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace bench {

double now_ns() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

void compute(double ns) {
  const double begin_ns = now_ns();
  while (now_ns() - begin_ns < ns) {
  }
}

double samples::quantile(double q) const {
  if (values_.empty()) return 0;
  std::vector<double> sorted = values_;
  std::sort(sorted.begin(), sorted.end());
  const double at = q * double(sorted.size() - 1);
  const auto below = std::size_t(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - double(below));
}

double samples::spread() const {
  const double middle = median();
  return middle > 0 ? (quantile(0.75) - quantile(0.25)) / middle : 0;
}

}  // namespace bench
