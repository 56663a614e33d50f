// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/raw_strings.hpp"

#include <algorithm>
#include <charconv>

namespace splitcc::driver {
namespace {

constexpr std::string_view kComplaint = "missing terminating ";

std::string without_colors(std::string_view line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\33') {
      plain += line[i];
      continue;
    }
    while (i < line.size() && line[i] != 'm' && line[i] != 'K') ++i;
  }
  return plain;
}

bool read_number(std::string_view& text, std::uint32_t& number) {
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// `FILE:LINE:COLUMN: warning: ...`: both numbers, and the file; false if it is not one.
bool read_position(std::string_view message, std::string_view& file, position& where) {
  message = message.substr(0, std::min(message.find(": warning: "), message.find(": error: ")));
  std::uint32_t* const numbers[] = {&where.column, &where.line};
  for (std::uint32_t* number : numbers) {
    const std::size_t colon = message.rfind(':');
    if (colon == std::string_view::npos) return false;
    std::string_view digits = message.substr(colon + 1);
    if (!read_number(digits, *number) || !digits.empty()) return false;
    message = message.substr(0, colon);
  }
  file = message;
  return true;
}

// A line of the source, or a caret, below a message.
bool is_context(std::string_view line) {
  const std::size_t bar = line.find('|');
  return line.starts_with(' ') && bar != std::string_view::npos &&
         line.substr(0, bar).find_first_not_of(" 0123456789") == std::string_view::npos;
}

std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size(); next_line(text, at)) starts.push_back(at);
  return starts;
}

// Behind the closing quote of the string that opens at `open`; npos: there is none.
std::size_t end_of_string(std::string_view text, std::size_t open) {
  for (std::size_t at = open + 1; at < text.size(); ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

std::string in_words_of_c(std::string_view string) {
  std::string text;
  for (std::size_t at = 0; at < string.size(); ++at) {
    if (string[at] == '\\' && at + 1 < string.size()) {
      text += string[at++];
      text += string[at];
    } else if (string[at] == '\n') {
      if (text.ends_with('\r')) text.pop_back();
      text += "\\n\\\n";
    } else {
      text += string[at];
    }
  }
  return text;
}

}  // namespace

std::string_view next_line(std::string_view text, std::size_t& at) {
  const std::size_t newline = text.find('\n', at);
  const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
  const std::string_view line = text.substr(at, end - at);
  at = end;
  return line;
}

std::optional<line_mark> read_line_mark(std::string_view line) {
  line_mark mark;
  if (!line.starts_with("# ")) return std::nullopt;
  line.remove_prefix(2);
  if (!read_number(line, mark.line) || !line.starts_with(" \"")) return std::nullopt;
  const std::size_t close = line.rfind('"');
  mark.file = line.substr(2, close - 2);
  for (char flag : line.substr(close + 1)) {
    mark.enters |= flag == '1';
    mark.returns |= flag == '2';
    mark.is_system |= flag == '3';
  }
  return mark;
}

complaints sort_complaints(std::string_view said, bool warnings) {
  complaints sorted;
  std::string before;  // the way to an included file: belongs to the message that follows
  bool dropping = false;
  for (std::size_t at = 0; at < said.size();) {
    const std::string_view line = next_line(said, at);
    const std::string plain = without_colors(line);
    if (dropping && is_context(plain)) continue;
    if (plain.starts_with("In file included") || plain.starts_with("                 from")) {
      before += line;
      continue;
    }
    const bool is_complaint = plain.find(kComplaint) != std::string::npos;
    dropping = is_complaint || (!warnings && plain.find(" warning: ") != std::string::npos);
    if (!dropping) (sorted.other += before) += line;
    before.clear();
    position where;
    std::string_view file;
    if (is_complaint && plain.find("terminating \"") != std::string::npos &&
        read_position(plain, file, where))
      sorted.quotes[std::string(file)].push_back(where);
  }
  return sorted;
}

std::set<std::uint32_t> lines_in_output(std::string_view output, std::string_view file) {
  std::set<std::uint32_t> lines;
  std::uint32_t number = 0;
  std::string_view current;
  for (std::size_t at = 0; at < output.size(); ++number) {
    const std::string_view line = next_line(output, at);
    if (const auto mark = read_line_mark(line)) {
      number = mark->line - 1;
      current = mark->file;
    } else if (current == file && line.find_first_not_of(" \t\n") != std::string_view::npos) {
      lines.insert(number);
    }
  }
  return lines;
}

std::string join_raw_strings(std::string_view text, const std::vector<position>& quotes,
                             const std::set<std::uint32_t>& active, std::vector<position>& joined) {
  const std::vector<std::size_t> starts = line_starts(text);
  std::string result;
  std::size_t done = 0;
  for (const position& where : quotes) {
    if (where.line == 0 || where.line > starts.size() || !active.contains(where.line)) continue;
    std::size_t open = starts[where.line - 1] + where.column - 1;
    if (open < done) continue;  // what closes a string looked like one that opens
    if (text.substr(open, 4).find('"') == std::string_view::npos) continue;
    open += text.substr(open, 4).find('"');  // past a prefix
    const std::size_t end = end_of_string(text, open);
    if (end == std::string_view::npos) continue;
    const std::string_view string = text.substr(open, end - open);
    const std::string words = in_words_of_c(string);
    result += text.substr(done, open - done);
    result += words;
    done = end;
    if (words != string) joined.push_back(where);  // it may have been joined before
  }
  result += text.substr(done);
  return result;
}

}  // namespace splitcc::driver
