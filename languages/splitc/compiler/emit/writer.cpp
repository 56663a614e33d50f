// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/emit/writer.hpp"

#include <algorithm>

namespace splitcc {
namespace {

// Up to this many newlines are written rather than a line mark.
constexpr std::uint32_t kNewlinesMax = 8;
// Columns are kept by no more blanks than these.
constexpr std::size_t kBlanksMax = 200;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_operator(char c) {
  return std::string_view("+-*/%&|^!<>=:.#").find(c) != std::string_view::npos;
}
// Whether two characters side by side could be read as one token.
bool run_together(char left, char right) {
  if (is_word(left) || left == '.')
    return is_word(right) || right == '"' || right == '\'' || (left == '.' && right == '.');
  return is_operator(left) && is_operator(right);
}

bool is_ours(std::string_view pragma) {
  const std::size_t word = pragma.find("pragma");
  if (word == std::string_view::npos) return false;
  const std::size_t name = pragma.find_first_not_of(" \t", word + 6);
  return name != std::string_view::npos && pragma.substr(name).starts_with("splitc ");
}

}  // namespace

writer::writer(const token_list& tokens, bool line_marks)
    : tokens_(tokens), line_marks_(line_marks) {
  for (const auto& [at, lines] : tokens.pragmas) pragmas_.emplace_back(at, lines);
  std::ranges::sort(pragmas_);
}

void writer::put(std::string_view s) {
  if (s.empty()) return;
  out_ += s;
  column_ += s.size();
  fresh_line_ = false;
}

void writer::text(std::string_view s) {
  if (s.empty()) return;
  if (!out_.empty() && !fresh_line_ && run_together(out_.back(), s.front())) put(" ");
  put(s);
  last_ = kNoToken;
}

void writer::new_line() {
  out_ += '\n';
  column_ = 0;
  fresh_line_ = true;
  if (line_ != 0) ++line_;
}

std::string writer::mark_text(std::uint32_t line, std::uint16_t file) const {
  if (!line_marks_) return {};
  const source_file& from = tokens_.files[file];
  std::string made = "# " + std::to_string(line) + " \"";
  for (const char c : from.name) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + (from.is_system ? "\" 3\n" : "\"\n");
}

void writer::mark(const token& t) {
  if (column_ != 0) new_line();
  file_ = t.file;
  line_ = t.line;
  out_ += mark_text(line_, file_);
}

void writer::go_to(token_index at) {
  if (captures_ > 0 || at == kNoToken || at >= tokens_.tokens.size()) return;
  const token& t = tokens_.tokens[at];
  if (t.file == file_ && t.line == line_) return;
  if (t.file == file_ && t.line > line_ && t.line - line_ <= kNewlinesMax && line_ != 0) {
    while (line_ < t.line) new_line();
  } else {
    mark(t);
  }
}

void writer::go_forward_to(token_index at) {
  if (at >= tokens_.tokens.size()) return;
  const token& t = tokens_.tokens[at];
  if (t.file == file_ && t.line > line_) go_to(at);
}

void writer::pad_to(const token& t) {
  const std::size_t wanted = t.column == 0 ? 0 : t.column - 1u;
  const bool is_near = column_ < wanted && column_ + kBlanksMax > wanted;
  if (is_near && captures_ == 0 && (fresh_line_ || t.space_before))
    put(std::string(wanted - column_, ' '));
  else if (t.space_before && !fresh_line_ && !out_.empty() && out_.back() != ' ')
    put(" ");
}

// Newlines in a string literal are written as C has them.
void writer::put_token(token_index i) {
  const token& t = tokens_.tokens[i];
  const bool follows = last_ != kNoToken && last_ + 1 == i && !t.space_before && !fresh_line_;
  if (!follows) {
    pad_to(t);
    if (!out_.empty() && !fresh_line_ && run_together(out_.back(), t.text.front())) put(" ");
  }
  if (t.kind == token_kind::punctuator && is(t, punctuator::left_brace) && captures_ == 0) {
    if (const auto found = braces_.find(i); found != braces_.end()) found->second = out_.size();
  } else if ((is(t, keyword::kw_struct) || is(t, keyword::kw_union)) && captures_ == 0) {
    const token_index brace = brace_of_record(tokens_, i);
    if (brace != kNoToken) braces_.emplace(brace, 0);
  }
  if (t.kind == token_kind::string && t.text.find('\n') != std::string_view::npos) {
    for (const char c : t.text) {
      if (c == '\n')
        put("\\n");
      else
        put({&c, 1});
    }
  } else {
    put(t.text);
  }
  last_ = i;
}

void writer::tokens(token_index first, token_index last) {
  for (token_index i = first; i < last; ++i) {
    pragmas_before(i);
    const token& t = tokens_.tokens[i];
    // Within what is written as it is, lines go forward.
    if (i == first ? t.line > line_ || t.file != file_ : t.line != line_ || t.file != file_)
      go_to(i);
    put_token(i);
  }
}

void writer::tokens_again(token_index first, token_index last) {
  for (token_index i = first; i < last; ++i) {
    const token& t = tokens_.tokens[i];
    text(t.text);
  }
}

void writer::begin(token_index at) {
  if (captures_ > 0 || at == kNoToken) return;
  pragmas_before(at);
  go_to(at);
  if (fresh_line_) pad_to(tokens_.tokens[at]);
}

void writer::pragmas_before(token_index at) {
  if (captures_ > 0) return;
  while (pragma_next_ < pragmas_.size() && pragmas_[pragma_next_].first <= at) {
    std::string_view lines = pragmas_[pragma_next_++].second;
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      const std::string_view line = lines.substr(0, end);
      lines.remove_prefix(std::min(end + 1, lines.size()));
      if (line.empty() || is_ours(line)) continue;
      if (column_ != 0) new_line();
      put(line);
      new_line();
      line_ = 0;
    }
  }
}

token_index writer::brace_of_record(const token_list& tokens, token_index word) {
  token_index i = word + 1;
  int depth = 0;
  for (; i < tokens.tokens.size(); ++i) {
    const token& t = tokens.tokens[i];
    if (is(t, punctuator::left_parenthesis)) {
      ++depth;
    } else if (is(t, punctuator::right_parenthesis)) {
      if (--depth < 0) return kNoToken;
    } else if (depth == 0 && is(t, punctuator::left_brace)) {
      return i;
    } else if (depth == 0 && !is(t, keyword::kw_attribute)) {
      return kNoToken;
    }
  }
  return kNoToken;
}

std::size_t writer::brace_position(token_index brace) const {
  const auto found = braces_.find(brace);
  return found == braces_.end() ? 0 : found->second;
}

void writer::put_in(std::size_t position, std::string text) {
  later_.emplace_back(position, std::move(text));
}

void writer::start_of_declaration() {
  if (column_ != 0) new_line();
  declaration_start_ = out_.size();
  declaration_mark_ = line_ == 0 ? std::string() : mark_text(line_, file_);
}

void writer::put_before_declaration(const std::string& text) {
  put_in(declaration_start_, text + "\n" + declaration_mark_);
}

std::string writer::finish() {
  pragmas_before(static_cast<token_index>(tokens_.tokens.size()));
  if (column_ != 0) new_line();
  std::ranges::stable_sort(later_, {}, &std::pair<std::size_t, std::string>::first);
  std::string whole;
  whole.reserve(out_.size() + 64 * later_.size());
  std::size_t done = 0;
  for (const auto& [at, text] : later_) {
    whole.append(out_, done, at - done);
    whole += text;
    done = at;
  }
  whole.append(out_, done);
  return whole;
}

}  // namespace splitcc
