// SPDX-License-Identifier: Apache-2.0
// Expressions with operators between operands. (C17 6.5.3 to 6.5.17.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

namespace {

constexpr std::size_t kPunctuators = static_cast<std::size_t>(punctuator::hash) + 1;

// How strongly binary operators bind; 0: not one.
constexpr std::array<std::uint8_t, kPunctuators> make_precedences() {
  std::array<std::uint8_t, kPunctuators> table{};
  auto set = [&](int strength, std::initializer_list<punctuator> operators) {
    for (punctuator p : operators)
      table[static_cast<std::size_t>(p)] = static_cast<std::uint8_t>(strength);
  };
  set(1, {punctuator::logical_or});
  set(2, {punctuator::logical_and});
  set(3, {punctuator::bar});
  set(4, {punctuator::caret});
  set(5, {punctuator::ampersand});
  set(6, {punctuator::equal, punctuator::not_equal});
  set(7,
      {punctuator::less, punctuator::greater, punctuator::less_equal, punctuator::greater_equal});
  set(8, {punctuator::shift_left, punctuator::shift_right});
  set(9, {punctuator::plus, punctuator::minus});
  set(10, {punctuator::star, punctuator::slash, punctuator::percent});
  return table;
}

constexpr auto kPrecedences = make_precedences();

int precedence(const token& t) { return kPrecedences[static_cast<std::size_t>(t.mark)]; }

bool is_assignment(const token& t) {
  return (t.mark >= punctuator::assign && t.mark <= punctuator::assign_or) ||
         t.mark == punctuator::split_phase || t.mark == punctuator::store;
}

}  // namespace

// expression:
//   assignment-expression
//   expression , assignment-expression
node* parser::expression() {
  const token_index first = at_;
  node* left = assignment_expression();
  for (int operators = 0; at(punctuator::comma); ++operators) {
    check_chain(operators);
    const token_index comma = at_;
    advance();
    node* right = assignment_expression();
    left = meaning_.operators.binary(from(first, comma), punctuator::comma, left, right);
  }
  return left;
}

// assignment-expression:
//   conditional-expression
//   unary-expression assignment-operator assignment-expression
// assignment-operator: one of
//   =  *=  /=  %=  +=  -=  <<=  >>=  &=  ^=  |=  :=  :-
node* parser::assignment_expression() {
  const nesting level(*this);
  const token_index first = at_;
  node* left = conditional_expression();
  if (!is_assignment(now())) return left;
  const token_index where = at_;
  const punctuator op = now().mark;
  advance();
  node* right = assignment_expression();
  return meaning_.assignments.assignment(from(first, where), op, left, right);
}

// conditional-expression:
//   binary-expression
//   binary-expression ? [expression] : conditional-expression
node* parser::conditional_expression() {
  const token_index first = at_;
  node* condition = binary_expression();
  return at(punctuator::question) ? conditional_rest(condition, first) : condition;
}

node* parser::conditional_rest(node* condition, token_index first) {
  const nesting level(*this);
  const token_index where = at_;
  advance();
  node* then = at(punctuator::colon) ? nullptr : expression();
  expect(punctuator::colon);
  node* otherwise = conditional_expression();
  return meaning_.conditionals.conditional(from(first, where), condition, then, otherwise);
}

// binary-expression:
//   cast-expression
//   binary-expression binary-operator binary-expression
node* parser::binary_expression() {
  const token_index first = at_;
  node* left = cast_expression();
  return precedence(now()) == 0 ? left : binary_rest(left, first, 1);
}

// What follows `left` as far as its operators bind at least as strongly as `least`.
node* parser::binary_rest(node* left, token_index first, int least) {
  for (int operators = 0;; ++operators) {
    const int strength = precedence(now());
    if (strength == 0 || strength < least) return left;
    check_chain(operators);
    const token_index where = at_;
    const punctuator op = now().mark;
    advance();
    const token_index right_first = at_;
    node* right = cast_expression();
    if (precedence(now()) > strength) right = binary_rest(right, right_first, strength + 1);
    left = meaning_.operators.binary(from(first, where), op, left, right);
  }
}

// cast-expression:
//   unary-expression
//   ( type-name ) cast-expression
//   compound-literal
node* parser::cast_expression() {
  if (at(punctuator::left_parenthesis) && starts_type(behind(1))) return cast_or_literal();
  return unary_expression();
}

// compound-literal:
//   ( type-name ) braced-initializer
node* parser::cast_or_literal() {
  const nesting level(*this);
  const token_index first = at_;
  advance();
  written_type* written = type_name();
  expect(punctuator::right_parenthesis);
  if (at(punctuator::left_brace)) {
    node* init = braced_initializer();
    return postfix_rest(meaning_.compound_literal(from(first), written, init), first);
  }
  node* e = cast_expression();
  return meaning_.casts.cast(from(first), written, e);
}

}  // namespace splitcc
