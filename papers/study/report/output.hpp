// SPDX-License-Identifier: Apache-2.0
// What the study found, beside what the papers did: as tables for a terminal, and as JSON.
#pragma once

#include <string>

#include "papers/study/report/study.hpp"
#include "tools/cli/json.hpp"

namespace study {

const console::json& papers();

std::string text_of(const study_result& s);
std::string native_text(const study_result& s);  // parts of it
std::string parts_text(const study_result& s);
console::json json_of(const study_result& s);

}  // namespace study
