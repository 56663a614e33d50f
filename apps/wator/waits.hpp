// SPDX-License-Identifier: Apache-2.0
// How long reads have waited: their sum, the longest, and how many were how long, in steps of 2 %.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <ramjet/ramjet.hpp>

#include "../measured/program.hpp"

namespace wator {

class waits {
 public:
  void add(double ns) {
    ++count_;
    sum_ns_ += ns;
    longest_ns_ = std::max(longest_ns_, ns);
    const double step = std::log2(std::max(ns, 1.0)) * kStepsOfTwo;
    ++counts_[std::min(std::size_t(step), kSteps - 1)];
  }

  // Collective: all ranks' waits, in all of them.
  void add_up_ranks() {
    measured::require(ramjet::all_reduce(count_, std::plus<>()));
    measured::require(ramjet::all_reduce(sum_ns_, std::plus<>()));
    measured::require(
        ramjet::all_reduce(longest_ns_, [](double a, double b) { return std::max(a, b); }));
    measured::require(ramjet::all_reduce(std::span<std::uint64_t>(counts_), std::plus<>()));
  }

  std::uint64_t count() const { return count_; }
  double mean_ns() const { return count_ == 0 ? 0 : sum_ns_ / double(count_); }
  double longest_ns() const { return longest_ns_; }
  // The middle of the step in which that share of all waits, in order, ends.
  double quantile_ns(double share) const {
    std::uint64_t seen = 0;
    for (std::size_t step = 0; step < kSteps; ++step) {
      seen += counts_[step];
      if (seen != 0 && double(seen) >= share * double(count_))
        return std::min(std::exp2((double(step) + 0.5) / kStepsOfTwo), longest_ns_);
    }
    return 0;
  }

 private:
  static constexpr double kStepsOfTwo = 32;
  static constexpr std::size_t kSteps = 40 * 32;  // up to 18 minutes

  std::uint64_t count_ = 0;
  double sum_ns_ = 0, longest_ns_ = 0;
  std::array<std::uint64_t, kSteps> counts_{};
};

}  // namespace wator
