// SPDX-License-Identifier: Apache-2.0
// The costs that a skeleton leaves open, from runs of the program.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/model/skeleton.hpp"

namespace loggp {

// A run of the program: its ranks, and the time that it took.
struct measured_run {
  unsigned ranks = 1;
  double time_ns = 0;
};

// Runs from a file of JSON, one object for each line, with `ranks` and either `seconds` or what our
// apps print: `ways` with `seconds` each, or em3d's `results`. `way` is the way, or the version,
// that counts, and may be empty where there is one. In the order of their ranks, the median where
// there are several of the same number. Throws input_error.
std::vector<measured_run> read_runs(const std::string& name, const std::string& text,
                                    const std::string& way = {});

// Called now and then with how many simulations have been begun; false: give up (interrupted).
using fit_progress = std::function<bool(std::uint64_t simulations)>;

// Changes the fitted parameters of `s` so that the simulated times are as near as can be to those
// of the runs (the sum of squared relative errors is the least). Throws input_error if there is
// nothing to fit, or fewer runs than there are parameters; and what simulate() throws.
void fit(skeleton& s, const machine& m, const std::vector<measured_run>& runs,
         const fit_progress& progress = {});

// How far the prediction is from what was measured: 0.1 is a tenth too long.
double error_of(double predicted_ns, double measured_ns);

}  // namespace loggp
