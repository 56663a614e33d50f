// SPDX-License-Identifier: Apache-2.0
// Samples of one quantity, and what is reported of them.
#pragma once

#include <vector>

namespace bench {

double now_ns();  // CLOCK_MONOTONIC: comparable between the ranks of a machine
void compute(double ns);  // polls and waits for nothing meanwhile

class samples {
 public:
  void add(double value) { values_.push_back(value); }
  bool empty() const { return values_.empty(); }
  unsigned count() const { return unsigned(values_.size()); }

  double median() const { return quantile(0.5); }
  // The distance of the quartiles over the median.
  double spread() const;

 private:
  double quantile(double q) const;  // 0 <= q <= 1

  std::vector<double> values_;
};

}  // namespace bench
