// SPDX-License-Identifier: Apache-2.0
#include "base/hexadecimal.hpp"

#include <cstdint>

namespace ramjet::base {

namespace {

int value_of(char digit) {
  return digit >= '0' && digit <= '9'   ? digit - '0'
         : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                                        : -1;
}

}  // namespace

std::string hexadecimal(const void* bytes, std::size_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<const std::uint8_t*>(bytes)[i];
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

bool from_hexadecimal(std::string_view text, std::string& bytes) {
  bytes.clear();
  if (text.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = value_of(text[i]), low = value_of(text[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes += char(high << 4 | low);
  }
  return true;
}

}  // namespace ramjet::base
