// SPDX-License-Identifier: Apache-2.0
// Files that are part of the command: the programs of the study, and what the papers found.
#pragma once

#include <string_view>

namespace study {

// Its text; empty if there is none of that name.
std::string_view embedded(std::string_view file);

}  // namespace study
