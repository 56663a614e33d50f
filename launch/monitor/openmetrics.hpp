// SPDX-License-Identifier: Apache-2.0
// A sample as a collector of metrics reads it: OpenMetrics 1.0, text.
#pragma once

#include <string>

#include "launch/monitor/sample.hpp"

namespace ramjet::monitor {

inline constexpr const char* kOpenMetricsType =
    "application/openmetrics-text; version=1.0.0; charset=utf-8";
// Pairs of ranks are told apart in jobs of at most this many ranks: their number grows with the
// square.
inline constexpr unsigned kPairRanksMax = 64;

std::string openmetrics_text(const job_sample& sample);

}  // namespace ramjet::monitor
