// SPDX-License-Identifier: Apache-2.0
// Strings that go on over ends of lines. The preprocessor says where it misses a closing quote, in
// text under #if 0, too, which is not C; its output says which lines count.
#ifndef SPLITCC_DRIVER_RAW_STRINGS_HPP
#define SPLITCC_DRIVER_RAW_STRINGS_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace splitcc::driver {

struct position {
  std::uint32_t line = 0, column = 0;  // in bytes, both from 1
};

// What the preprocessor said, without its complaints of missing quotes.
struct complaints {
  std::string other;
  std::map<std::string, std::vector<position>> quotes;  // missing `"`, by the file
};
// `warnings`: whether there shall be other warnings in `other`.
complaints sort_complaints(std::string_view said, bool warnings);

// The line at `at` with its newline; afterwards `at` is behind it.
std::string_view next_line(std::string_view text, std::size_t& at);

// `# LINE "FILE" FLAGS` of the preprocessor's output.
struct line_mark {
  std::uint32_t line = 0;  // of the line behind the mark
  std::string_view file;
  bool enters = false, returns = false, is_system = false;
};
std::optional<line_mark> read_line_mark(std::string_view line);

// The lines of `file` of which there is something in the preprocessor's output.
std::set<std::uint32_t> lines_in_output(std::string_view output, std::string_view file);

// The text with strings that begin at the positions, on lines that count, in the words of C: `\n`
// and a spliced line for each newline. `joined`: where they begin.
std::string join_raw_strings(std::string_view text, const std::vector<position>& quotes,
                             const std::set<std::uint32_t>& active, std::vector<position>& joined);

}  // namespace splitcc::driver

#endif
