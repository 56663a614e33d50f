// SPDX-License-Identifier: Apache-2.0
// The user's lines, for messages, and where in them a token stands.
#ifndef SPLITCC_LEX_SOURCE_LINES_HPP
#define SPLITCC_LEX_SOURCE_LINES_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "splitcc/lex/token.hpp"

namespace splitcc {

// Files are read when a line of theirs is asked for first.
class source_lines {
 public:
  // From 1; without its newline. Nothing if the file cannot be read or has no such line.
  std::optional<std::string_view> line(std::string_view file, std::uint32_t number);

 private:
  struct file_text {
    std::string text;
    std::vector<std::uint32_t> starts;  // offsets of the lines
  };
  std::map<std::string, file_text, std::less<>> files_;
};

// The line of the preprocessor's output in which the token stands.
std::string_view line_in_buffer(const token_list& tokens, token_index at);

// The column, in bytes from 1, of the token in the user's line; a token that a macro made has that
// of the macro's name. (alignment.cpp)
std::uint32_t column_in(std::string_view user_line, const token_list& tokens, token_index at);

// Whether `text` stands at the column.
bool is_at(std::string_view line, std::uint32_t column, std::string_view text);

// The column on the screen of a column in bytes, with tabs and with UTF-8.
std::uint32_t screen_column(std::string_view line, std::uint32_t column);

// Tabs as blanks; what would move the cursor, as `?`.
std::string expanded(std::string_view line);

}  // namespace splitcc

#endif
