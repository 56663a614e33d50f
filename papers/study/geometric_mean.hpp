// SPDX-License-Identifier: Apache-2.0
// The mean of ratios: of one and its inverse it is 1.
#pragma once

#include <cmath>

namespace study {

class geometric_mean {
 public:
  void add(double ratio) {
    sum_of_logarithms_ += std::log(ratio);
    ++count_;
  }
  double value() const { return std::exp(sum_of_logarithms_ / count_); }  // of one or more

 private:
  double sum_of_logarithms_ = 0, count_ = 0;
};

}  // namespace study
