// SPDX-License-Identifier: Apache-2.0
// Printing of messages. Columns are gcc's: of the screen, with tabs at every eighth.
#include "languages/support/messages.hpp"

#include <algorithm>
#include <cstdio>

namespace frontend {
namespace {

constexpr std::string_view kBold = "01";
constexpr std::string_view kRed = "01;31";
constexpr std::string_view kMagenta = "01;35";
constexpr std::string_view kCyan = "01;36";
constexpr std::uint32_t kLineNumberWidth = 5;
constexpr std::size_t kShownMax = 200;  // columns of a line

// Select Graphic Rendition, and erase to the end of the line, as gcc does.
std::string begin_color(bool on, std::string_view color) {
  return on ? "\33[" + std::string(color) + "m\33[K" : "";
}
std::string end_color(bool on) { return on ? "\33[m\33[K" : ""; }

void write_all(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string messages::bold(bool color, const std::string& text) {
  return begin_color(color, kBold) + text + end_color(color);
}

void messages::error(const place& where, std::string_view text) {
  printed_ = true;
  print(where, "error", kRed, text, "");
  count_error();
}

void messages::count_error() {
  ++errors_;
  if (options_.errors_max == 0 || errors_ < options_.errors_max) return;
  if (!options_.silent)
    write_all("compilation terminated due to -fmax-errors=" + std::to_string(options_.errors_max) +
              ".\n");
  throw too_many_errors{};
}

bool messages::is_shown(const place& where, std::string_view warning_name) const {
  return options_.warnings && !options_.off.contains(warning_name) && !where.in_system_header;
}

void messages::warning(const place& where, std::string_view name, std::string_view text) {
  printed_ = is_shown(where, name);
  if (!printed_) return;
  const bool named_error = options_.as_errors.contains(name);
  if (named_error || (options_.warnings_are_errors && !options_.not_errors.contains(name))) {
    print(where, "error", kRed, text,
          name.empty() ? " [-Werror]" : " [-Werror=" + std::string(name) + "]");
    return count_error();
  }
  print(where, "warning", kMagenta, text, name.empty() ? "" : " [-W" + std::string(name) + "]");
  ++warnings_;
}

void messages::remark(const place& where, std::string_view text) {
  print(where, "remark", kCyan, text, "");
}

void messages::note(const place& where, std::string_view text) {
  if (printed_) print(where, "note", kCyan, text, "");
}

void messages::note(std::string_view text) {
  if (!printed_) return;
  place where = last_;
  where.source = {};
  where.line_is_elsewhere = true;
  print(where, "note", kCyan, text, "");
}

void messages::print(const place& where, std::string_view kind, std::string_view color,
                     std::string_view text, std::string_view suffix) {
  if (options_.silent) return;
  const bool c = options_.color;
  place shown = where;
  if (shown.source.empty() && !shown.line_is_elsewhere)
    if (const auto line = lines_.line(shown.file, shown.line)) shown.source = *line;
  const std::uint32_t column = screen_column(shown.source, shown.column);
  std::string out = context_of(where, c);
  if (!where.file.empty()) {
    out += begin_color(c, kBold) + std::string(where.file) + ":";
    if (where.line != 0) out += std::to_string(where.line) + ":" + std::to_string(column) + ":";
    out += end_color(c) + " ";
  }
  out += begin_color(c, color) + std::string(kind) + ": " + end_color(c);
  out += std::string(text);
  if (!suffix.empty()) {
    const std::string name(suffix.substr(2, suffix.size() - 3));
    out += " [" + begin_color(c, color) + name + end_color(c) + "]";
  }
  out += '\n';
  if (!shown.source.empty() && shown.line != 0) out += with_caret(shown, color);
  write_all(out);
  last_ = where;
}

// "   12 |   the line" and "      |   ^~~~" below it. Of a long line only what is around the mark.
std::string messages::with_caret(const place& where, std::string_view color) const {
  const bool c = options_.color;
  const std::string number = std::to_string(where.line);
  const std::size_t width = std::max<std::size_t>(kLineNumberWidth, number.size());
  std::string line = expanded(where.source);
  std::size_t column = std::max<std::uint32_t>(screen_column(where.source, where.column), 1);
  std::size_t marked = std::max<std::uint32_t>(where.width, 1);
  if (line.size() > kShownMax) {
    const std::size_t first = column > kShownMax / 2 ? column - kShownMax / 2 : 0;
    line = std::string(line, first, kShownMax);
    column -= first;
    marked = std::min(marked, kShownMax - column + 1);
  }
  return std::string(width - number.size(), ' ') + number + " | " + line + "\n" +
         std::string(width, ' ') + " | " + std::string(column - 1, ' ') + begin_color(c, color) +
         "^" + std::string(marked - 1, '~') + end_color(c) + "\n";
}

}  // namespace frontend
