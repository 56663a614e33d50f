// SPDX-License-Identifier: Apache-2.0
// Operands: names, literals, and the constructs that start with a keyword. (C17 6.5.1, 7.16, 7.19;
// GNU C.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

// primary-expression:
//   identifier
//   constant
//   string-literal
//   ( expression )
//   ( compound-statement )
//   keyword-expression
node* parser::primary_expression() {
  const token_index first = at_;
  switch (now().kind) {
    case token_kind::identifier:
      return identifier_expression();
    case token_kind::number:
      advance();
      return meaning_.literals.number(from(first));
    case token_kind::character:
      advance();
      return meaning_.literals.character(from(first));
    case token_kind::string:
      return string_literal();
    case token_kind::keyword:
      return keyword_expression();
    default:
      break;
  }
  if (!at(punctuator::left_parenthesis)) fail("expression");
  return parenthesized_expression();
}

node* parser::identifier_expression() {
  const token_index first = at_;
  identifier* name = now().name;
  if (is_typedef_name(now())) fail("expression");
  advance();
  return meaning_.names.name(from(first), name, at(punctuator::left_parenthesis));
}

// string-literal:
//   string+
node* parser::string_literal() {
  const token_index first = at_;
  while (now().kind == token_kind::string) advance();
  return meaning_.literals.string(from(first));
}

node* parser::parenthesized_expression() {
  const token_index first = at_;
  advance();
  if (at(punctuator::left_brace)) return statement_expression(first);
  node* e = expression();
  expect(punctuator::right_parenthesis);
  return meaning_.names.parenthesized(from(first), e);
}

// statement-expression:
//   ( compound-statement )
node* parser::statement_expression(token_index first) {
  if (!meaning_.scopes.function())
    fail_with(first, "a statement expression is allowed only inside a function");
  node* compound = compound_statement();
  expect(punctuator::right_parenthesis);
  return meaning_.selections.statement_expression(from(first), compound);
}

node* parser::keyword_expression() {
  switch (now().word) {
    case keyword::kw_generic:
      return generic_selection();
    case keyword::kw_va_arg:
      return va_arg_expression();
    case keyword::kw_offsetof:
      return offset_of_expression();
    case keyword::kw_choose_expr:
      return choose_expression();
    case keyword::kw_types_compatible:
      return types_compatible_expression();
    case keyword::kw_convert_vector:
      return convert_vector_expression();
    default:
      fail("expression");
  }
}

// generic-selection:
//   _Generic ( assignment-expression , association-list )
// association:
//   type-name : assignment-expression
//   default : assignment-expression
node* parser::generic_selection() {
  const token_index first = at_;
  advance();
  expect(punctuator::left_parenthesis);
  node* control = assignment_expression();
  std::vector<generic_choice> choices;
  while (accept(punctuator::comma)) {
    const token_index choice_first = at_;
    written_type* type = nullptr;
    if (!accept(keyword::kw_default)) {
      if (!starts_type(now())) fail("type name or 'default'");
      type = type_name();
    }
    expect_colon();
    node* e = assignment_expression();
    choices.push_back({type, e, from(choice_first)});
  }
  if (choices.empty()) fail("','");
  expect(punctuator::right_parenthesis);
  return meaning_.selections.generic(from(first), control, choices);
}

// __builtin_va_arg ( assignment-expression , type-name )
node* parser::va_arg_expression() {
  const token_index first = at_;
  advance();
  expect(punctuator::left_parenthesis);
  node* list = assignment_expression();
  expect(punctuator::comma);
  written_type* written = type_name();
  expect(punctuator::right_parenthesis);
  return meaning_.selections.va_arg(from(first), list, written);
}

// __builtin_offsetof ( type-name , offset-designator )
// offset-designator:
//   identifier
//   offset-designator . identifier
//   offset-designator [ expression ]
node* parser::offset_of_expression() {
  const token_index first = at_;
  advance();
  expect(punctuator::left_parenthesis);
  written_type* written = type_name();
  expect(punctuator::comma);
  node_list designators(*this);
  designators.add(offset_member());
  for (;;) {
    const token_index step = at_;
    if (accept(punctuator::left_bracket)) {
      node* e = expression();
      expect(punctuator::right_bracket);
      designators.add(meaning_.initializers.designator_index(from(step), e, nullptr));
    } else if (accept(punctuator::dot) || accept(punctuator::arrow)) {
      designators.add(offset_member());
    } else {
      break;
    }
  }
  expect(punctuator::right_parenthesis);
  return meaning_.sizes.offset_of(from(first), written, designators.all());
}

node* parser::offset_member() {
  const token_index first = at_;
  if (now().kind != token_kind::identifier) fail("identifier");
  identifier* name = now().name;
  advance();
  return meaning_.initializers.designator_member(from(first), name);
}

// __builtin_choose_expr ( assignment-expression , assignment-expression , assignment-expression )
node* parser::choose_expression() {
  const token_index first = at_;
  advance();
  expect(punctuator::left_parenthesis);
  node* condition = assignment_expression();
  expect(punctuator::comma);
  node* a = assignment_expression();
  expect(punctuator::comma);
  node* b = assignment_expression();
  expect(punctuator::right_parenthesis);
  return meaning_.selections.choose(from(first), condition, a, b);
}

// __builtin_types_compatible_p ( type-name , type-name )
node* parser::types_compatible_expression() {
  const token_index first = at_;
  advance();
  expect(punctuator::left_parenthesis);
  written_type* a = type_name();
  expect(punctuator::comma);
  written_type* b = type_name();
  expect(punctuator::right_parenthesis);
  return meaning_.selections.types_compatible(from(first), a, b);
}

// __builtin_convertvector ( assignment-expression , type-name )
node* parser::convert_vector_expression() {
  const token_index first = at_;
  advance();
  expect(punctuator::left_parenthesis);
  node* e = assignment_expression();
  expect(punctuator::comma);
  written_type* to = type_name();
  expect(punctuator::right_parenthesis);
  return meaning_.selections.convert_vector(from(first), e, to);
}

}  // namespace splitcc
