// SPDX-License-Identifier: Apache-2.0
// Expressions but those in braces.
#include <charconv>

#include "languages/id/parse/grammar.hpp"

namespace idc {

using enum token_kind;

namespace {

constexpr int kComparison = 2;  // does not associate
constexpr int kCons = 3;        // associates to the right
constexpr int kUnary = 6;

int level_of(token_kind op) {
  switch (op) {
    case or_:
      return 0;
    case and_:
      return 1;
    case equal:
    case not_equal:
    case less:
    case less_equal:
    case greater:
    case greater_equal:
      return kComparison;
    case colon:
    case append:
      return kCons;
    case plus:
    case minus:
      return 4;
    case star:
    case slash:
    case div:
    case mod:
      return 5;
    default:
      return -1;
  }
}

}  // namespace

// expression = "if" expression "then" expression "else" expression | binary .
expression* parser::parse_expression() {
  const nesting deeper(*this);
  return at(if_) ? parse_choice() : parse_binary(0);
}

expression* parser::parse_choice() {
  expression* made = make(expression_kind::choice, here());
  expect(if_);
  expression* condition = parse_expression();
  expect(then);
  expression* yes = parse_expression();
  expect(else_);
  made->parts = list<expression>({condition, yes, parse_expression()});
  return made;
}

// binary = unary { operator unary } , by the operators' levels.
expression* parser::parse_binary(int level) {
  if (level == kUnary) return parse_unary();
  chain links(*this);
  expression* left = parse_binary(level + 1);
  while (level_of(now().kind) == level) {
    links.begin_link();
    expression* made = make(expression_kind::binary, here());
    made->op = now().kind;
    advance();
    const nesting deeper(*this);
    expression* right = at(if_) ? parse_choice() : parse_binary(level == kCons ? level : level + 1);
    made->parts = list<expression>({left, right});
    left = made;
    links.end_link();
    if (level == kComparison) break;
  }
  return left;
}

// unary = ( "-" | "not" ) unary | application .
expression* parser::parse_unary() {
  if (!at(minus) && !at(not_)) return parse_application();
  const nesting deeper(*this);
  expression* made = make(expression_kind::unary, here());
  made->op = now().kind;
  advance();
  made->parts = list<expression>({parse_unary()});
  return made;
}

// application = postfix { postfix } .
expression* parser::parse_application() {
  chain links(*this);
  expression* f = parse_postfix();
  while (begins_postfix()) {
    links.begin_link();
    expression* made = make(expression_kind::apply, f->where);
    made->parts = list<expression>({f, parse_postfix()});
    f = made;
    links.end_link();
  }
  return f;
}

bool parser::begins_postfix() const {
  switch (now().kind) {
    case integer:
    case real:
    case string:
    case true_:
    case false_:
    case nil:
    case name:
    case constructor_name:
    case left_parenthesis:
    case left_brace:
    case left_list:
      return true;
    default:
      return false;
  }
}

// postfix = primary { [ "!" | "!!" ] "[" expression [ "," expression ] "]" } .
expression* parser::parse_postfix() {
  chain links(*this);
  expression* value = parse_primary();
  while (at(left_bracket) || at(exclamation) || at(exclamations)) {
    links.begin_link();
    const bool takes = accept(exclamation);
    const bool examines = !takes && accept(exclamations);
    expression* made = make(takes      ? expression_kind::take
                            : examines ? expression_kind::examine
                                       : expression_kind::index,
                            value->where);
    std::vector<expression*> parts = {value};
    for (expression* each : parse_indices()) parts.push_back(each);
    made->parts = list(parts);
    value = made;
    links.end_link();
  }
  return value;
}

std::span<expression*> parser::parse_indices() {
  const position where = here();
  expect(left_bracket);
  std::vector<expression*> indices;
  do indices.push_back(parse_expression());
  while (accept(comma));
  expect(right_bracket);
  if (indices.size() > 2) error(where, "arrays have one or two dimensions");
  return list(indices);
}

// primary = literal | name | Name | parenthesised | braces .
expression* parser::parse_primary() {
  switch (now().kind) {
    case name:
    case constructor_name: {
      const bool is_name = at(name);
      expression* made =
          make(is_name ? expression_kind::name : expression_kind::constructor, here());
      made->text = expect_text(now().kind);
      return made;
    }
    case left_parenthesis:
      return parse_parenthesised();
    case left_brace:
      return parse_braces();
    case left_list:
      return parse_list();
    default:
      return parse_literal();
  }
}

// literal = integer | real | string | "true" | "false" | "nil" .
expression* parser::parse_literal() {
  expression* made = make(expression_kind::nil, here());
  const std::string_view text = text_of(now());
  switch (now().kind) {
    case integer:
      made->is = expression_kind::integer;
      if (std::from_chars(text.data(), text.data() + text.size(), made->integer).ec != std::errc())
        error(here(), "this integer has more than 64 bits");
      break;
    case real:
      made->is = expression_kind::real;
      if (std::from_chars(text.data(), text.data() + text.size(), made->real).ec != std::errc())
        error(here(), "this number is too large or too small");
      break;
    case string:
      made->is = expression_kind::string;
      made->text = text;
      break;
    case true_:
    case false_:
      made->is = expression_kind::boolean;
      made->integer = at(true_);
      break;
    case nil:
      break;
    default:
      fail("an expression");
  }
  advance();
  return made;
}

// parenthesised = "(" [ expression { "," expression } ] ")" .
expression* parser::parse_parenthesised() {
  const position where = here();
  expect(left_parenthesis);
  if (accept(right_parenthesis)) return make(expression_kind::unit, where);
  std::vector<expression*> parts;
  do parts.push_back(parse_expression());
  while (accept(comma));
  expect(right_parenthesis);
  if (parts.size() == 1) return parts.front();
  expression* made = make(expression_kind::tuple, where);
  made->parts = list(parts);
  return made;
}

}  // namespace idc
