// SPDX-License-Identifier: Apache-2.0
// Files that are part of the command: what a page is made of, and what the papers found.
#pragma once

#include <string_view>

namespace pages {

// Its text; empty if there is none of that name.
std::string_view embedded(std::string_view file);

}  // namespace pages
