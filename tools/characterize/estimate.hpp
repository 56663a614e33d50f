// SPDX-License-Identifier: Apache-2.0
// A quantity that is measured until its median is known closely enough, or the time is up.
#pragma once

#include <functional>
#include <vector>

namespace characterize {

struct estimate {
  double median = 0;
  // The median lies between these with a confidence of 95 %.
  double low = 0, high = 0;
  unsigned samples = 0;
};

struct patience {
  double width = 0.03;    // (high - low) / median that is close enough
  unsigned samples_min = 5;
  double seconds = 0.5;   // after which no further sample is begun, once there are samples_min
};

// `sample` returns one measurement each time it is called.
estimate measure(const std::function<double()>& sample, const patience& how_long);

// From samples that are there; they are sorted.
estimate estimate_of(std::vector<double>& samples);

}  // namespace characterize
