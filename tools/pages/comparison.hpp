// SPDX-License-Identifier: Apache-2.0
// Two runs of the benchmarks, row by row: which is faster, as far as their spreads allow to say.
//
// A run has of each benchmark the median of n repeats and their interquartile range. The median of
// n normal samples has the standard error 1.253 s / sqrt(n), and s is the interquartile range over
// 1.349 (less for few samples). From that comes the interval, of 99 %: of a hundred rows one is
// expected outside it by chance; differences within the tolerance count as equal.
#pragma once

#include <string>
#include <vector>

#include "tools/pages/document.hpp"
#include "tools/pages/input.hpp"

namespace pages {

enum class verdict { better, same, worse, unclear, not_comparable, only_old, only_new };

struct compared {
  std::string name;  // with the ranks, where there are other than 2
  std::string unit;
  double was = 0, is = 0;  // values; 0 in a run that does not have it
  bool by_limit = false;   // compared by what they are of the raw limit of their own run
  double speed = 1;        // how many times as fast as before
  double low = 1, high = 1;
  verdict result = verdict::unclear;
  std::string why;  // where nothing can be said; else empty
};

constexpr double kTolerance = 0.05;

// Both are of benchmarks. Throws input_error.
std::vector<compared> compare(const input& old_run, const input& new_run, double tolerance);

const char* name_of(verdict v);

document comparison_document(const std::vector<compared>& rows, const input& old_run,
                             const input& new_run, double tolerance);
console::json json_of(const std::vector<compared>& rows);

}  // namespace pages
