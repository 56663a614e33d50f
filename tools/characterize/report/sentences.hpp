// SPDX-License-Identifier: Apache-2.0
// Results in words and small tables, for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/characterize/memory/hierarchy.hpp"
#include "tools/characterize/remote/results.hpp"

namespace characterize {

// What the system says of the machine, for comparison.
struct described_cache {
  std::size_t bytes = 0;
  std::size_t line_bytes = 0;
  unsigned ways = 0;  // 0: not said
};
struct description {
  std::vector<described_cache> data_caches;  // of this core, the first level first
  std::size_t page_bytes = 0;
};

// One thing that was found, and what the system says of it.
struct finding {
  std::string text;  // a sentence
  enum class verdict { agrees, differs, not_said } compared = verdict::not_said;
  std::string said;  // by the system; empty: nothing
};

std::vector<finding> findings_of(const memory_results& r, const description& said);

std::string text_of(const memory_results& r, const description& said);
// `between`: "two ranks of this machine".
std::string text_of(const remote_results& r, const std::string& between);

console::json as_json(const memory_results& r, const description& said);

// A line, if the machine's pace changed by a ratio above the other while it was measured; else
// empty.
std::string drift_text(double drift, double worth_saying);

}  // namespace characterize
