// SPDX-License-Identifier: Apache-2.0
// Records as people and as programs read them.
#pragma once

#include <string>
#include <vector>

#include "harness/benchmark.hpp"

namespace bench {

// One JSON array. `provenance` stands in the params of every record.
std::string as_json(const std::vector<record>& records, const json& provenance);

// Aligned columns below a line of provenance.
std::string as_table(const std::vector<record>& records, const json& provenance);

// Shows on standard error, if that is a terminal, what is being done; "" wipes it away.
void show_progress(const std::string& text);

}  // namespace bench
