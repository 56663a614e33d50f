// SPDX-License-Identifier: Apache-2.0
// Ways of doing one thing, each forced at each size, and which value of the figure that chooses
// among them follows from that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/machine_profile.hpp"
#include "tools/characterize/infer/curve.hpp"
#include "tools/cli/json.hpp"

namespace characterize {

// What was measured with the figure forced to a value.
struct forced_value {
  std::uint64_t value;
  curve times;  // by size; the same sizes for all values
};

struct comparison {
  ramjet::base::figure figure;
  std::string what;  // "reads of near memory"
  std::vector<forced_value> forced;
  // How far the first and the second half of the samples are from each other: the logarithm of
  // their ratio, in the mean over values and sizes.
  double noise = 0;
};

// A figure is a size from which on something else is done, or up to which; or the size of parts, or
// a count, which have to be tried one by one.
enum class kind_of_figure { from_size_on, up_to_size, part_size, count, time };
kind_of_figure kind_of(ramjet::base::figure f) noexcept;

// Which value costs least over all sizes, each counting alike; the built-in one unless another is
// clearly better, by more than the noise. Of a limit two values were forced, its least and its
// most, which do one thing and the other at every size. All comparisons are of one figure.
std::uint64_t best_value(std::span<const comparison> all);

// How much longer the first forced value takes than the best of all, at each size; 1: it is that.
// Values that come to the same at a size count as one way there.
curve ratios_to_best(const comparison& c);

console::json as_json(const comparison& c);
comparison comparison_of(const console::json& j);  // throws console::json::wrong_kind

}  // namespace characterize
