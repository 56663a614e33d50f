// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/lex/lexer.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace tl0 {
namespace {

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

constexpr std::string_view kMarks[] = {"->", "==", "!=", "<=", ">=", "<<", ">>", "{", "}", "(",
                                       ")",  "[",  "]",  ",",  ":",  ".",  "=",  "<", ">", "+",
                                       "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~", "?"};

class lexer {
 public:
  lexer(std::string_view text, const std::string& file, frontend::messages& report)
      : text_(text), report_(report) {
    result_.files.push_back(file);
  }

  token_list run() {
    while (skip_blanks()) next();
    add(token_kind::end, 0);
    return std::move(result_);
  }

 private:
  char at(std::size_t offset) const {
    return at_ + offset < text_.size() ? text_[at_ + offset] : '\0';
  }

  // To the next token; false at the end.
  bool skip_blanks();
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  void next();
  void add(token_kind kind, std::size_t length);
  std::size_t length_of_number(token_kind& kind) const;
  void string();
  void directive();
  void wrong(std::size_t length, const std::string& why);
  token here(token_kind kind, std::size_t length) const;

  std::string_view text_;
  frontend::messages& report_;
  token_list result_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  position made_from_;
};

bool lexer::skip_blanks() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    } else if (c == '/' && at(1) == '/') {
      skip_line();
      --at_;  // to stand before the end of line
    } else if (c == '#') {
      directive();
      --at_;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return true;
    }
  }
  return false;
}

token lexer::here(token_kind kind, std::size_t length) const {
  return {text_.substr(std::min(at_, text_.size()), length), line_,
          static_cast<std::uint32_t>(at_ - line_start_ + 1), made_from_, kind};
}

void lexer::add(token_kind kind, std::size_t length) {
  result_.tokens.push_back(here(kind, length));
  at_ += length;
}

void lexer::wrong(std::size_t length, const std::string& why) {
  report_.error(place_of(result_, here(token_kind::mark, length)), why);
  at_ += length;
}

// integer = digit { digit } | "0x" digit { digit }
// real    = digit { digit } [ "." { digit } ] [ "e" [ "+" | "-" ] digit { digit } ]
std::size_t lexer::length_of_number(token_kind& kind) const {
  std::size_t n = 0;
  kind = token_kind::integer;
  if (at(0) == '0' && at(1) == 'x') {
    for (n = 2; is_hexadecimal(at(n));) ++n;
    return n;
  }
  while (is_digit(at(n))) ++n;
  if (at(n) == '.' && is_digit(at(n + 1))) {
    kind = token_kind::real;
    for (++n; is_digit(at(n));) ++n;
  }
  if (at(n) == 'e' || at(n) == 'E') {
    std::size_t exponent = n + 1;
    if (at(exponent) == '+' || at(exponent) == '-') ++exponent;
    if (is_digit(at(exponent))) {
      kind = token_kind::real;
      for (n = exponent; is_digit(at(n));) ++n;
    }
  }
  return n;
}

// string = '"' { character | "\\" ( "n" | "t" | '"' | "\\" ) } '"'
void lexer::string() {
  std::size_t n = 1;
  bool good = true, has_control = false;
  while (at(n) != '"' && at(n) != '\n' && at_ + n < text_.size()) {
    const bool is_escape = at(n) == '\\';
    if (is_escape) good &= at(n + 1) != '\0' && std::strchr("nt\"\\", at(n + 1)) != nullptr;
    has_control |= at(n) >= 0 && at(n) < ' ' && at(n) != '\t';
    n += is_escape && at(n + 1) != '\n' ? 2 : 1;
  }
  n = std::min(n, text_.size() - at_);
  const bool has_end = at(n) == '"';
  if (has_end) ++n;
  const token read = here(token_kind::string, n);
  if (!has_end) report_.error(place_of(result_, read), "this string has no end");
  if (has_end && !good)
    report_.error(place_of(result_, read), "of escapes a string has \\n, \\t, \\\" and \\\\");
  if (has_end && has_control)
    report_.error(place_of(result_, read), "a string has no control characters but tabs");
  add(token_kind::string, n);
}

// directive = "#line" [ integer string ]
void lexer::directive() {
  const std::size_t start = at_;
  skip_line();
  std::string_view rest = text_.substr(start, at_ - start);
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  const std::size_t length = rest.size();
  const auto refuse = [&](const std::string& why) {
    const std::size_t end = at_;
    at_ = start;
    wrong(length, why);
    at_ = end;
  };
  if (!rest.starts_with("#line")) return refuse("of directives there is only #line");
  rest.remove_prefix(std::strlen("#line"));
  const auto blank = [&] {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  };
  blank();
  if (rest.empty()) {
    made_from_ = {};
    return;
  }
  position from;
  const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), from.line);
  rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
  blank();
  if (error != std::errc{} || rest.size() < 2 || rest.front() != '"' ||
      rest.find('"', 1) != rest.size() - 1)
    return refuse("expected a line and a file: #line 12 \"FILE\"");
  const std::string file(rest.substr(1, rest.size() - 2));
  const auto found = std::find(result_.files.begin() + 1, result_.files.end(), file);
  from.file = static_cast<index>(found - result_.files.begin());
  if (found == result_.files.end()) result_.files.push_back(file);
  made_from_ = from;
}

void lexer::next() {
  const char c = at(0);
  std::size_t n = 1;
  if (is_letter(c)) {
    while (is_letter(at(n)) || is_digit(at(n))) ++n;
    return add(is_keyword(text_.substr(at_, n)) ? token_kind::keyword : token_kind::name, n);
  }
  if (c == '"') return string();
  if (c == '$' && is_digit(at(1))) {
    while (is_digit(at(n))) ++n;
    return add(token_kind::hidden, n);
  }
  if (is_digit(c)) {
    token_kind kind{};
    n = length_of_number(kind);
    if (is_letter(at(n))) {
      while (is_letter(at(n)) || is_digit(at(n))) ++n;
      return wrong(n, "this is not a number: '" + std::string(text_.substr(at_, n)) + "'");
    }
    return add(kind, n);
  }
  for (std::string_view mark : kMarks)
    if (text_.substr(at_).starts_with(mark)) return add(token_kind::mark, mark.size());
  while ((at(n) & 0xC0) == 0x80) ++n;  // the rest of a character in UTF-8
  wrong(n, "this character means nothing here");
}

}  // namespace

const std::vector<std::string_view>& keywords() {
  static const std::vector<std::string_view> words{
      "again",  "and",    "as",     "block",      "bool",  "code",   "entry",
      "exit",   "fail",   "falloc", "false",      "ffree", "float",  "fork",
      "frame",  "ialloc", "ifetch", "inlet",      "int",   "istore", "istructure",
      "length", "malloc", "mput",   "mstructure", "mtake", "not",    "or",
      "post",   "print",  "rank",   "ranks",      "self",  "send",   "slot",
      "spawn",  "stop",   "switch", "thread",     "true",  "word"};
  return words;
}

bool is_keyword(std::string_view word) {
  return std::binary_search(keywords().begin(), keywords().end(), word);
}

frontend::place place_of(const token_list& tokens, const token& t) {
  frontend::place where;
  where.file = tokens.files[0];
  where.line = t.line;
  where.column = t.column;
  where.width = static_cast<std::uint32_t>(std::max<std::size_t>(t.text.size(), 1));
  return where;
}

token_list lex(std::string_view text, const std::string& file, frontend::messages& report) {
  return lexer(text, file, report).run();
}

}  // namespace tl0
