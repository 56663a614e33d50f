// SPDX-License-Identifier: Apache-2.0
// What Spertus and Dally 1995 say of their measurements, each as a check on ours.
#pragma once

#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "papers/study/report/study.hpp"

namespace study {

struct claim {
  std::string place;  // in the paper
  std::string text;
  bool holds = false;      // on our measurements
  std::string evidence = {};  // ours
};
std::vector<claim> claims_of(const study_result& s);

// The ratios of Table 2: geometric means by what a miss costs, and how many of the programs' are on
// the same side of 1 as the paper's.
struct comparison {
  std::array<double, std::size(kMissCycles)> ours = {}, theirs = {};
  int same_sides = 0;
};
comparison compare(const study_result& s);

}  // namespace study
