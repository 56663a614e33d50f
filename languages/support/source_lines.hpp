// SPDX-License-Identifier: Apache-2.0
// The user's lines, for messages, and columns in them.
#ifndef FRONTEND_SOURCE_LINES_HPP
#define FRONTEND_SOURCE_LINES_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace frontend {

// Files are read when a line of theirs is asked for first.
class source_lines {
 public:
  // The text of a file that is not to be read: standard input, or what is in memory already.
  void add(std::string_view file, std::string text);
  // From 1; without its newline. Nothing if the file cannot be read or has no such line.
  std::optional<std::string_view> line(std::string_view file, std::uint32_t number);

 private:
  struct file_text {
    explicit file_text(std::string all);
    std::string text;
    std::vector<std::uint32_t> starts;  // offsets of the lines
  };
  std::map<std::string, file_text, std::less<>> files_;
};

// Whether `text` stands at the column.
bool is_at(std::string_view line, std::uint32_t column, std::string_view text);

// The column on the screen of a column in bytes, with tabs and with UTF-8.
std::uint32_t screen_column(std::string_view line, std::uint32_t column);

// Tabs as blanks; what would move the cursor, as `?`.
std::string expanded(std::string_view line);

}  // namespace frontend

#endif
