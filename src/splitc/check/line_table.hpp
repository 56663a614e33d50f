// SPDX-License-Identifier: Apache-2.0
// DWARF line tables, as far as addresses of code are turned into lines: DWARF 5, section 6.2, and
// what versions 2 to 4 have otherwise.
//
// Threads: any; nothing is kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ramjet::splitc::check {

// The sections of one file, as they are in it; empty where it has none.
struct line_sections {
  std::string_view lines;  // .debug_line
  std::string_view line_strings;  // .debug_line_str
  std::string_view strings;  // .debug_str
};

// "FILE:LINE" of the code at this address of the file; empty if no table says. What cannot be read
// is passed over.
std::string find_line(const line_sections& sections, std::uint64_t address);

}  // namespace ramjet::splitc::check
