// SPDX-License-Identifier: Apache-2.0
// Texts that are not plain ASCII, or an extension of it, by their first bytes.
#pragma once

#include <string>
#include <string_view>

namespace measured {

// The reason why a text with these first bytes cannot be read (four bytes suffice), and the
// remedy; empty if there is none. A byte-order mark is named.
inline std::string encoding_problem(std::string_view first) {
  using namespace std::string_view_literals;
  if (first.starts_with("\xef\xbb\xbf"sv))
    return "begins with a byte-order mark of UTF-8: remove it (tail -c +4 FILE)";
  if (first.starts_with("\xff\xfe\0\0"sv) || first.starts_with("\0\0\xfe\xff"sv))
    return "begins with a byte-order mark of UTF-32: convert it (iconv -f UTF-32 -t ASCII FILE)";
  if (first.starts_with("\xff\xfe"sv) || first.starts_with("\xfe\xff"sv))
    return "begins with a byte-order mark of UTF-16: convert it (iconv -f UTF-16 -t ASCII FILE)";
  const std::size_t zero = first.substr(0, 2).find('\0');
  if (zero == 0 && first.size() > 1 && first[1] != '\0')
    return "is text in UTF-16: convert it (iconv -f UTF-16BE -t ASCII FILE)";
  if (zero == 1) return "is text in UTF-16: convert it (iconv -f UTF-16LE -t ASCII FILE)";
  return {};
}

}  // namespace measured
