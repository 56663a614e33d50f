// SPDX-License-Identifier: Apache-2.0
// DWARF line tables, as far as addresses of code are turned into lines: DWARF 5, section 6.2, and
// what versions 2 to 4 have otherwise.
//
// Most of a program's tables are the library's, of whose code nobody asks: of each unit its ranges
// of addresses are kept, and its rows once it was asked for.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ramjet::splitc::check {

// The sections of one file, as they are in it; empty where it has none.
struct line_sections {
  std::string_view lines;  // .debug_line
  std::string_view line_strings;  // .debug_line_str
  std::string_view strings;  // .debug_str
};

class line_table {
 public:
  // Reads all tables; what cannot be read is passed over. The sections stay mapped.
  explicit line_table(const line_sections& sections);
  // "FILE:LINE" of the code at this address of the file; empty if no table says.
  std::string find(std::uint64_t address);

  struct row {
    std::uint64_t begin, end;  // addresses
    std::string_view directory, file;
    std::int64_t line;
  };

 private:
  struct unit {
    std::string_view bytes;
    std::vector<row> rows;  // by `begin`; empty before the first question
  };
  // Code of a unit that has rows from its begin to its end.
  struct range {
    std::uint64_t begin, end;
    std::size_t unit;
  };
  void add_ranges(std::string_view bytes, const std::vector<row>& rows);

  line_sections sections_;
  std::vector<unit> units_;
  std::vector<range> ranges_;  // by `begin`
};

}  // namespace ramjet::splitc::check
