// SPDX-License-Identifier: Apache-2.0
// What each kind of result becomes in a document: its sections.
#pragma once

#include <string>
#include <vector>

#include "tools/pages/document.hpp"
#include "tools/pages/input.hpp"

namespace pages {

// Curves of a characterization; empty if it has none there. Values are nanoseconds.
struct curve_place {
  const char* part;  // memory, near, far
  const char* key;
};
std::vector<point> curve_of(const console::json& characterization, const curve_place& place);
// Latency by stride, a curve for each size of the array.
plot strides_plot(const console::json& characterization, const std::string& reads_or_writes);
// Gigabytes a second by size, a curve for each mechanism.
plot bulk_plot(const console::json& characterization, const std::string& part,
               const std::string& reads_or_writes);

// Of the study of schedulers: each of the paper's tables and figures.
std::vector<section> study_sections(const console::json& study);

// A document of all files, which are read here; two runs of benchmarks are compared. Throws
// input_error.
document report_on(const std::vector<std::string>& names);

std::vector<section> characterization_sections(const input& file);
std::vector<section> bench_sections(const input& file);
std::vector<section> sweep_sections(const input& file);
section programs_section(const console::json& run);
// Of what ramjet model prints.
section model_section(const console::json& model);

}  // namespace pages
