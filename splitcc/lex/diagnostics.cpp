// SPDX-License-Identifier: Apache-2.0
// Printing of diagnostics. Columns are gcc's: of the screen, with tabs at every eighth. Tokens have
// the columns of the preprocessor's output; those of the user's line are looked for when one is
// needed, by the words of the line.
#include "splitcc/lex/diagnostics.hpp"

#include <algorithm>
#include <cstdio>

#include "splitcc/lex/source_lines.hpp"

namespace splitcc {
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

diagnostics::diagnostics(diagnostic_options options)
    : options_(std::move(options)), lines_(std::make_unique<source_lines>()) {}

diagnostics::~diagnostics() = default;

void diagnostics::error(token_index at, std::string_view text) { error(place_of(at), text); }

void diagnostics::error(const place& where, std::string_view text) {
  printed_ = true;
  print(where, "error", kRed, text, "");
  count_error();
}

void diagnostics::count_error() {
  ++errors_;
  if (options_.errors_max == 0 || errors_ < options_.errors_max) return;
  write_all("compilation terminated due to -fmax-errors=" + std::to_string(options_.errors_max) +
            ".\n");
  throw too_many_errors{};
}

void diagnostics::warning(token_index at, std::string_view name, std::string_view text) {
  const token& t = tokens_->tokens[at];
  printed_ = options_.warnings && !options_.off.contains(name) && !tokens_->files[t.file].is_system;
  if (printed_) warning(place_of(at), name, text);
}

void diagnostics::warning(const place& where, std::string_view name, std::string_view text) {
  printed_ = options_.warnings && !options_.off.contains(name) && !where.in_system_header;
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

void diagnostics::remark(token_index at, std::string_view text) {
  print(place_of(at), "remark", kCyan, text, "");
}

void diagnostics::note(token_index at, std::string_view text) {
  if (printed_) print(place_of(at), "note", kCyan, text, "");
}

void diagnostics::note(std::string_view text) {
  if (!printed_) return;
  place where = last_;
  where.source = {};
  where.line_is_elsewhere = true;
  print(where, "note", kCyan, text, "");
}

place diagnostics::place_of(token_index at) const {
  place where;
  if (!tokens_ || at >= tokens_->tokens.size()) return where;
  const token& t = tokens_->tokens[at];
  where.file = tokens_->files[t.file].name;
  where.line = t.line;
  where.in_system_header = tokens_->files[t.file].is_system;
  std::string_view text = t.text.substr(0, t.text.find('\n'));
  if (const auto user_line = lines_->line(where.file, t.line)) {
    where.source = *user_line;
    where.column = column_in(*user_line, *tokens_, at);
  } else {
    where.source = line_in_buffer(*tokens_, at);
    where.column = t.column;
  }
  if (where.column == 0) where.column = 1;
  const std::size_t room =
      where.source.size() + 1 - std::min<std::size_t>(where.column, where.source.size());
  where.width = static_cast<std::uint32_t>(std::clamp<std::size_t>(text.size(), 1, room));
  if (t.kind == token_kind::end || !is_at(where.source, where.column, text)) where.width = 1;
  return where;
}

// The chain of #include lines to the file, once for as long as the file stays the same.
std::string diagnostics::includers(const place& where) {
  if (!tokens_ || last_.file == where.file) return "";
  std::string text;
  const auto& files = tokens_->files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].name != where.file) continue;
    for (std::size_t n = 0; files[i].include_line != 0 && n < files.size(); ++n) {
      text += text.empty() ? "In file included from " : ",\n                 from ";
      text += begin_color(options_.color, kBold) + files[files[i].includer].name + ":" +
              std::to_string(files[i].include_line) + end_color(options_.color);
      i = files[i].includer;
    }
    break;
  }
  return text.empty() ? text : text + ":\n";
}

void diagnostics::print(const place& where, std::string_view kind, std::string_view color,
                        std::string_view text, std::string_view suffix) {
  const bool c = options_.color;
  place shown = where;
  if (shown.source.empty() && !shown.line_is_elsewhere)
    if (const auto line = lines_->line(shown.file, shown.line)) shown.source = *line;
  const std::uint32_t column = screen_column(shown.source, shown.column);
  std::string out = includers(where);
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
std::string diagnostics::with_caret(const place& where, std::string_view color) const {
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

}  // namespace splitcc
