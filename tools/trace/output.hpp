// SPDX-License-Identifier: Apache-2.0
// What `ramjet trace` says of a trace: as text, as JSON.
#pragma once

#include <string>

#include "tools/cli/json.hpp"
#include "tools/trace/analysis.hpp"

namespace traces {

std::string text_of(const std::string& path, const job_trace& job, const trace_analysis& a);
console::json json_of(const std::string& path, const job_trace& job, const trace_analysis& a);

}  // namespace traces
