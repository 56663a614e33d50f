// SPDX-License-Identifier: Apache-2.0
#include "languages/id/lex/lexer.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace idc {
namespace {

using enum token_kind;

constexpr std::pair<std::string_view, token_kind> kKeywords[] = {
#define IDC_KEYWORD(name, spelling) {spelling, token_kind::name},
#define IDC_MARK(name, spelling)
#include "languages/id/lex/tokens.def"
#undef IDC_KEYWORD
#undef IDC_MARK
};

constexpr std::string_view kSpellings[] = {
    "end of the program", "name", "constructor", "integer", "number", "string",
#define IDC_KEYWORD(name, spelling) spelling,
#define IDC_MARK(name, spelling) spelling,
#include "languages/id/lex/tokens.def"
#undef IDC_KEYWORD
#undef IDC_MARK
};

constexpr auto kFirstMark = static_cast<std::size_t>(left_parenthesis);

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_word(char c) {
  return is_digit(c) || is_capital(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '\'';
}

class lexer {
 public:
  lexer(const frontend::source_text& source, frontend::messages& report)
      : source_(source), text_(source.text()), report_(report) {}

  std::vector<token> run() {
    while (skip_blanks()) next();
    push(end, 0);
    return std::move(tokens_);
  }

 private:
  char at(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void push(token_kind kind, std::size_t width) {
    tokens_.push_back({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(width), kind});
    at_ += width;
  }

  void error(std::string_view text, std::size_t width) {
    report_.error(
        source_.place_of(static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(width)), text);
  }

  bool skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '%')
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      else if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
        return true;
    }
    at_ = text_.size();
    return false;
  }

  void next() {
    const char c = at();
    if (is_digit(c)) return number();
    if (is_word(c) && c != '\'') return word();
    if (c == '"') return literal();
    mark();
  }

  void word() {
    std::size_t width = 1;
    while (is_word(at(width))) ++width;
    const std::string_view text = text_.substr(at_, width);
    if (width == 1 && text[0] == '_') return push(underscore, 1);
    for (const auto& [spelling, kind] : kKeywords)
      if (text == spelling) return push(kind, width);
    const bool is_array = text.starts_with("I_") || text.starts_with("M_");
    push(is_capital(text[0]) && !is_array ? constructor_name : name, width);
  }

  // 12, 1.5, 1e-3, 2.5e10
  void number() {
    std::size_t width = 1;
    const auto digits = [&] {
      while (is_digit(at(width))) ++width;
    };
    digits();
    token_kind kind = integer;
    if (at(width) == '.' && is_digit(at(width + 1))) {
      kind = real;
      ++width;
      digits();
    }
    if (at(width) == 'e' || at(width) == 'E') {
      const std::size_t sign = at(width + 1) == '-' || at(width + 1) == '+' ? 1 : 0;
      if (is_digit(at(width + 1 + sign))) {
        kind = real;
        width += 1 + sign;
        digits();
      }
    }
    if (is_word(at(width))) {
      while (is_word(at(width))) ++width;
      error("'" + std::string(text_.substr(at_, width)) + "' is not a number", width);
    }
    push(kind, width);
  }

  void literal() {
    std::size_t width = 1;
    while (at(width) != '"' && at(width) != '\n' && at_ + width < text_.size()) {
      const bool escapes = at(width) == '\\' && at(width + 1) != '\n';
      if (escapes) check_escape(width);
      check_character(width);
      width += escapes ? 2 : 1;
    }
    width = std::min(width, text_.size() - at_);
    if (at(width) != '"')
      error("the string has no end in this line", width);
    else
      ++width;
    push(string, width);
  }

  void check_character(std::size_t ahead) {
    const auto c = static_cast<unsigned char>(at(ahead));
    if (c >= ' ' || c == '\t') return;
    const std::size_t start = std::exchange(at_, at_ + ahead);
    error("a string has no control characters but tabs", 1);
    at_ = start;
  }

  void check_escape(std::size_t ahead) {
    const char c = at(ahead + 1);
    if (c == 'n' || c == 't' || c == '\\' || c == '"' || at_ + ahead + 1 >= text_.size()) return;
    const std::size_t start = std::exchange(at_, at_ + ahead);
    std::size_t width = 2;
    while ((static_cast<unsigned char>(at(width)) & 0xC0) == 0x80) ++width;  // the rest of UTF-8
    error("'" + std::string(text_.substr(at_, width)) +
              "' stands for nothing: there are \\n, \\t, \\\\ and \\\"",
          width);
    at_ = start;
  }

  void mark() {
    std::size_t found = 0, width = 0;  // the longest mark that stands here
    for (std::size_t i = kFirstMark; i < std::size(kSpellings); ++i) {
      if (kSpellings[i].size() <= width || !text_.substr(at_).starts_with(kSpellings[i])) continue;
      found = i;
      width = kSpellings[i].size();
    }
    if (width != 0) return push(static_cast<token_kind>(found), width);
    width = 1;
    while ((static_cast<unsigned char>(at(width)) & 0xC0) == 0x80) ++width;  // the rest of UTF-8
    error("this character means nothing in Id", 1);
    at_ += width;
  }

  const frontend::source_text& source_;
  std::string_view text_;
  frontend::messages& report_;
  std::vector<token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view spelling(token_kind kind) { return kSpellings[static_cast<std::size_t>(kind)]; }

std::vector<token> lex(const frontend::source_text& source, frontend::messages& report) {
  return lexer(source, report).run();
}

}  // namespace idc
