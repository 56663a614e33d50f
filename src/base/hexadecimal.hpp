// SPDX-License-Identifier: Apache-2.0
// Bytes as text: two digits for each, lower case.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ramjet::base {

std::string hexadecimal(const void* bytes, std::size_t count);
// False if the text is not what hexadecimal() writes; `bytes` is undefined then.
bool from_hexadecimal(std::string_view text, std::string& bytes);

}  // namespace ramjet::base
