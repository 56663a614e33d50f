// SPDX-License-Identifier: Apache-2.0
// Standard output, which may be a full disk.
#pragma once

#include <string_view>

namespace tools {

// Writes the text. Returns the exit status: 0, or 1 after standard error has said why not all
// of it could be written.
int print(std::string_view text);

}  // namespace tools
