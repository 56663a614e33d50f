// SPDX-License-Identifier: Apache-2.0
// Punctuators: the longest that is there, digraphs included. What a colon begins depends on whether
// a `?` is open in the same brackets: `c ? a :-b` is not a store.
#include "languages/splitc/compiler/lex/scanner.hpp"

namespace splitcc {

void scanner::mark(punctuator p, std::size_t length) {
  token t = begin();
  t.kind = token_kind::punctuator;
  t.mark = p;
  push(t, at_ + length);
}

void scanner::opens(punctuator p, std::size_t length) {
  open_questions_.push_back(0);
  mark(p, length);
}

void scanner::closes(punctuator p, std::size_t length) {
  if (open_questions_.size() > 1) open_questions_.pop_back();
  mark(p, length);
}

void scanner::punctuation() {
  using enum punctuator;
  const char second = at_[1], third = second == 0 ? '\0' : at_[2];
  const auto one_or = [&](punctuator one, char next, punctuator two) {
    return second == next ? mark(two, 2) : mark(one, 1);
  };
  switch (*at_) {
    case ';':
      open_questions_.back() = 0;
      return mark(semicolon, 1);
    case ',':
      return mark(comma, 1);
    case '.':
      return second == '.' && third == '.' ? mark(ellipsis, 3) : mark(dot, 1);
    case '?':
      ++open_questions_.back();
      return mark(question, 1);
    case ':':
      return colon_mark();
    case '+':
      return second == '+' ? mark(increment, 2) : one_or(plus, '=', assign_add);
    case '-':
      if (second == '>') return mark(arrow, 2);
      return second == '-' ? mark(decrement, 2) : one_or(minus, '=', assign_subtract);
    case '*':
      return one_or(star, '=', assign_multiply);
    case '/':
      return one_or(slash, '=', assign_divide);
    case '%':
      return percent_mark();
    case '&':
      return second == '&' ? mark(logical_and, 2) : one_or(ampersand, '=', assign_and);
    case '|':
      return second == '|' ? mark(logical_or, 2) : one_or(bar, '=', assign_or);
    case '^':
      return one_or(caret, '=', assign_xor);
    case '~':
      return mark(tilde, 1);
    case '!':
      return one_or(exclamation, '=', not_equal);
    case '<':
      return left_angle();
    case '>':
      if (second != '>') return one_or(greater, '=', greater_equal);
      return third == '=' ? mark(assign_shift_right, 3) : mark(shift_right, 2);
    case '=':
      return one_or(assign, '=', equal);
    case '#':
      return mark(hash, 1);
    default:
      return bracket();
  }
}

void scanner::bracket() {
  using enum punctuator;
  switch (*at_) {
    case '(':
      return opens(left_parenthesis, 1);
    case ')':
      return closes(right_parenthesis, 1);
    case '[':
      return opens(left_bracket, 1);
    case ']':
      return closes(right_bracket, 1);
    case '{':
      return opens(left_brace, 1);
    case '}':
      return closes(right_brace, 1);
    default:
      return stray();
  }
}

void scanner::colon_mark() {
  using enum punctuator;
  if (at_[1] == '>') return closes(right_bracket, 2);
  std::uint32_t& questions = open_questions_.back();
  if (splitc_) {
    if (at_[1] == ':') return mark(double_colon, 2);
    if (at_[1] == '-' && questions == 0) return mark(store, 2);
    const char* p = at_ + 1;  // a macro's `:` and a macro's `=` come with a blank between
    while (characters::is(*p, characters::kBlank)) ++p;
    if (*p == '=' && p[1] != '=') {
      mark(split_phase, 2);
      list_.tokens.back().text = spelling(split_phase);
      at_ = p + 1;
      return;
    }
  }
  if (questions > 0) --questions;
  mark(punctuator::colon, 1);
}

void scanner::left_angle() {
  using enum punctuator;
  const char second = at_[1];
  if (second == ':') return opens(left_bracket, 2);
  if (second == '%') return opens(left_brace, 2);
  if (second == '<') return at_[2] == '=' ? mark(assign_shift_left, 3) : mark(shift_left, 2);
  return second == '=' ? mark(less_equal, 2) : mark(less, 1);
}

void scanner::percent_mark() {
  using enum punctuator;
  if (at_[1] == '>') return closes(right_brace, 2);
  if (at_[1] == ':') return mark(hash, 2);
  return at_[1] == '=' ? mark(assign_remainder, 2) : mark(percent, 1);
}

std::string_view spelling(punctuator p) {
  static constexpr std::string_view kSpellings[] = {
      "",
#define SPLITCC_PUNCTUATOR(name, spelling) spelling,
#include "languages/splitc/compiler/lex/punctuators.def"
#undef SPLITCC_PUNCTUATOR
  };
  return kSpellings[static_cast<std::size_t>(p)];
}

}  // namespace splitcc
