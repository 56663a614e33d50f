// SPDX-License-Identifier: Apache-2.0
// Words of others in our messages: file names, what was typed, what stands in a file.
#pragma once

#include <string>
#include <string_view>

namespace console {

// The text with its control characters as \n, \t, \x1b: a message stays one line, and cannot steer
// the terminal. UTF-8 stays as it is, its control characters (U+0080 to U+009F) excepted.
std::string printable(std::string_view text);

}  // namespace console
