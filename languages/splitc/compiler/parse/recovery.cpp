// SPDX-License-Identifier: Apache-2.0
// Syntax errors: what is said, and where the parser goes on.
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

namespace {

bool is_opening(const token& t) {
  return is(t, punctuator::left_parenthesis) || is(t, punctuator::left_bracket) ||
         is(t, punctuator::left_brace);
}

bool is_closing(const token& t) {
  return is(t, punctuator::right_parenthesis) || is(t, punctuator::right_bracket) ||
         is(t, punctuator::right_brace);
}

}  // namespace

// In gcc's words, "expected ';' before 'x'".
std::string parser::expected_text(std::string_view expected) const {
  std::string text = "expected " + std::string(expected);
  const token& t = now();
  switch (t.kind) {
    case token_kind::end:
      return text + " at end of input";
    case token_kind::number:
      return text + " before numeric constant";
    case token_kind::string:
      return text + " before string constant";
    case token_kind::character:
      return text + " before character constant";
    case token_kind::punctuator:
      return text + " before '" + std::string(t.text) + "' token";
    default:
      return text + " before '" + std::string(t.text) + "'";
  }
}

// One report for each token: what is wrong there is wrong in several productions.
bool parser::error(token_index where, std::string_view text) {
  if (where == last_error_) return false;
  last_error_ = where;
  report_.error(where, text);
  return true;
}

// At the token here. If that is on another line, a mark that is missing is missed behind the token
// before it.
void parser::report_here(std::string_view text) {
  if (at_ == last_error_) return;
  last_error_ = at_;
  const bool is_mark_missing = text.starts_with("expected '");
  const bool is_behind = (now().first_in_line && is_mark_missing) || at_end();
  if (at_ == 0 || !is_behind) return report_.error(at_, text);
  place p = report_.place_of(at_ - 1);
  p.column += p.width;
  p.width = 1;
  report_.error(p, text);
}

void parser::fail(std::string_view expected) {
  report_here(expected_text(expected));
  throw syntax_error{};
}

// `}`. Where the file ends before it, the place of the `{` helps to find the one that is missing.
void parser::end_of_block(token_index opened) {
  if (at(punctuator::right_brace)) return advance();
  const bool is_new = at_ != last_error_;
  report_here(expected_text("'}'"));
  if (is_new && at_end()) report_.note(opened, "to match this '{'");
  throw syntax_error{};
}

void parser::fail_with(token_index where, std::string_view text) {
  error(where, text);
  throw syntax_error{};
}

void parser::nested_too_deeply() {
  error(at_, "nested more than " + std::to_string(kNestingMax) + " levels deep");
  throw nesting_error{};
}

void parser::check_chain(int links) {
  if (links < kChainMax) return;
  error(at_, "more than " + std::to_string(kChainMax) +
                 " operators, parts of a declarator or 'else if' in a row");
  throw nesting_error{};
}

void parser::skip_balanced() {
  int depth = 0;
  while (!at_end()) {
    if (is_opening(now())) ++depth;
    if (is_closing(now())) --depth;
    advance();
    if (depth <= 0) return;
  }
}

void parser::skip_statement() {
  while (!at_end() && !at(punctuator::right_brace)) {
    if (accept(punctuator::semicolon)) return;
    if (at(punctuator::left_brace)) {
      skip_balanced();
      if (!at(punctuator::semicolon) && !at(punctuator::comma)) return;
    } else {
      advance();
    }
  }
}

void parser::skip_declaration() {
  while (!at_end()) {
    if (accept(punctuator::semicolon)) return;
    const bool ends = at(punctuator::right_brace) || at(punctuator::left_brace);
    if (at(punctuator::left_brace))
      skip_balanced();
    else
      advance();
    if (ends) {
      accept(punctuator::semicolon);
      return;
    }
  }
}

// To the bracket that closes the one that was opened before; not past the end of the statement.
void parser::skip_to_closing(punctuator closing) {
  while (!at_end() && !at(closing) && !at(punctuator::right_brace)) {
    if (at(punctuator::semicolon) && closing != punctuator::right_brace) return;
    if (is_opening(now()))
      skip_balanced();
    else
      advance();
  }
}

}  // namespace splitcc
