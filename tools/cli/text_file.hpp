// SPDX-License-Identifier: Apache-2.0
// Files that people name and that are read whole.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace console {

// No text that our programs take is longer; what does not end, such as /dev/zero, is.
constexpr std::size_t kTextBytesMax = std::size_t{16} << 20;

// The file's text, "-" for standard input; or nothing, and in `problem` a sentence that names the
// file. Reads no more than a byte past the bound, whatever the file is.
std::optional<std::string> text_of_file(const std::string& name, std::string& problem);

}  // namespace console
