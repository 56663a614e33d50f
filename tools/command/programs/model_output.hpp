// SPDX-License-Identifier: Apache-2.0
// What `ramjet model` has found: as text, as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/json.hpp"
#include "tools/model/simulation.hpp"
#include "tools/model/skeleton.hpp"

namespace tools {

// A row of a result: a job of `ranks` ranks, as it is simulated, and as it was measured.
struct prediction {
  unsigned ranks = 1;
  std::string name;  // of a trace's rows: what the machine is
  loggp::outcome simulated;
  std::optional<double> measured_ns;
  bool is_fitted = false;  // the measurement is one of those that the costs come from
};

struct model_result {
  std::string name, about;
  loggp::machine machine;
  std::vector<loggp::parameter> parameters;
  std::vector<prediction> rows;
  std::vector<std::string> notes;  // sentences: what the reader should know
};

std::string text_of(const model_result& r);
console::json json_of(const model_result& r);

}  // namespace tools
