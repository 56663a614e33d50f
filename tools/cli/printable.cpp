// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/printable.hpp"

namespace console {
namespace {

void append_escaped(std::string& to, unsigned char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  to += '\\';
  if (c == '\n' || c == '\t' || c == '\r') {
    to += c == '\n' ? 'n' : c == '\t' ? 't' : 'r';
    return;
  }
  to += 'x';
  to += kDigits[c >> 4];
  to += kDigits[c & 15];
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr unsigned char kDelete = 0x7f, kControlLead = 0xc2, kControlEnd = 0xa0;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    if (c == kControlLead && next >= 0x80 && next < kControlEnd) {
      append_escaped(result, c);
      append_escaped(result, next);
      ++i;
    } else if (c < ' ' || c == kDelete) {
      append_escaped(result, c);
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace console
