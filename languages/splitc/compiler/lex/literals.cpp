// SPDX-License-Identifier: Apache-2.0
// Character constants and strings. A newline inside a string stands for itself, as in gcc 2: the
// token's text then has `\n` for it, so that all who read the token find a literal of C.
#include "languages/splitc/compiler/lex/scanner.hpp"

namespace splitcc {
namespace {

constexpr std::size_t kDelimiterMax = 16;  // of a raw string

// In the words of C: newlines as escapes, spliced lines as one.
std::string rewritten(const char* begin, const char* end) {
  std::string text;
  for (const char* p = begin; p != end; ++p) {
    if (*p == '\\' && p[1] == '\n') {
      ++p;
    } else if (*p == '\\') {
      text += *p;
      text += *++p;
    } else if (*p == '\n') {
      text += "\\n";
    } else {
      text += *p;
    }
  }
  return text;
}

}  // namespace

void scanner::literal(token t, const char* quote, token_kind kind) {
  t.kind = kind;
  if (kind == token_kind::character) return character_constant(t, quote);
  if (quote != at_ && quote[-1] == 'R') return raw_string(t, quote);
  string(t, quote);
}

// prefix? ' c-char-sequence '
void scanner::character_constant(token t, const char* quote) {
  const char* p = quote + 1;
  while (*p != '\'' && *p != '\n') p += *p == '\\' && p[1] != '\n' ? 2 : 1;
  if (*p == '\n') return unterminated(t, quote);
  if (p == quote + 1) report_.error(here(quote, 2), "empty character constant");
  push(t, p + 1);
}

// prefix? " s-char-sequence "
void scanner::string(token t, const char* quote) {
  const char* p = quote + 1;
  std::uint32_t newlines = 0;
  const char* last_newline = nullptr;
  bool raw = false;
  for (; *p != '"'; ++p) {
    if (*p == '\\') {
      ++p;
    } else if (*p == '\n') {
      raw = true;
    }
    if (*p == '\n') {
      ++newlines;
      last_newline = p;
    }
    if ((raw && !splitc_) || p >= end_ - 1) return unterminated(t, quote);
  }
  if (newlines == 0) return push(t, p + 1);
  if (raw)
    report_.warning(here(quote), "raw-newline", "the string goes on over the end of the line");
  const std::string& text = list_.rewritten.emplace_back(rewritten(t.text.data(), p + 1));
  t.text = text;
  push(t, text.data() + text.size());
  line_ += newlines;
  line_start_ = last_newline + 1;
  at_ = p + 1;
}

// prefix? R" delimiter ( text ) delimiter ": nothing in it has a meaning.
void scanner::raw_string(token t, const char* quote) {
  const char* p = quote + 1;
  while (*p != '(' && *p != '"' && *p != '\n' && *p != ')' && *p != ' ' && *p != '\\') ++p;
  const std::string_view delimiter{quote + 1, static_cast<std::size_t>(p - quote - 1)};
  if (*p != '(' || delimiter.size() > kDelimiterMax) return unterminated(t, quote);
  const std::string close = ")" + std::string(delimiter) + "\"";
  const std::string_view rest{p, static_cast<std::size_t>(end_ - p)};
  const std::size_t found = rest.find(close);
  if (found == std::string_view::npos) return unterminated(t, quote);
  const char* end = p + found + close.size();
  push(t, end);
  for (const char* c = quote; c != end; ++c)
    if (*c == '\n') new_line(c + 1);
}

// The token takes the rest of the line, but for what ends a statement or a call.
void scanner::unterminated(const token& t, const char* quote) {
  report_.error(here(quote), std::string("missing terminating ") + *quote + " character");
  const char* end = quote;
  while (*end != '\n') ++end;
  while (end != quote + 1 && (end[-1] == ';' || end[-1] == ')' || end[-1] == ',' ||
                              end[-1] == '\\' || characters::is(end[-1], characters::kBlank)))
    --end;
  token closed = t;  // as if its quote were there
  closed.text = list_.rewritten.emplace_back(std::string(1, *quote) + *quote);
  if (t.kind == token_kind::character) closed.text = list_.rewritten.emplace_back("'?'");
  push(closed, closed.text.data() + closed.text.size());
  at_ = end;
}

}  // namespace splitcc
