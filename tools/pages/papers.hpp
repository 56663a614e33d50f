// SPDX-License-Identifier: Apache-2.0
// The tables and figures of five papers, beside what is measured here. The papers' numbers, their
// places, and what of ours stands beside them are in papers.json.
#pragma once

#include <string>
#include <vector>

#include "tools/pages/document.hpp"
#include "tools/pages/input.hpp"

namespace pages {

// `about`: how what is given was measured; empty: files.
document papers_document(const std::vector<input>& files, const std::string& about);

// The benchmarks that stand beside the papers' numbers, each once.
std::vector<std::string> benchmarks_of_papers();

}  // namespace pages
