// SPDX-License-Identifier: Apache-2.0
// Prefix operators, and what follows an operand. (C17 6.5.2, 6.5.3.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

// unary-expression:
//   postfix-expression
//   unary-operator cast-expression
//   unary-keyword ...
node* parser::unary_expression() {
  const token& t = now();
  if (t.kind == token_kind::identifier) return postfix_expression();
  switch (t.mark) {
    case punctuator::plus:
    case punctuator::minus:
    case punctuator::tilde:
    case punctuator::exclamation:
    case punctuator::star:
    case punctuator::ampersand:
    case punctuator::increment:
    case punctuator::decrement:
    case punctuator::logical_and:
      return unary_operator();
    default:
      break;
  }
  switch (t.word) {
    case keyword::kw_sizeof:
    case keyword::kw_alignof:
    case keyword::kw_extension:
    case keyword::kw_real:
    case keyword::kw_imag:
      return unary_keyword();
    default:
      return postfix_expression();
  }
}

// unary-expression:
//   ++ unary-expression   -- unary-expression
//   + - ~ ! * & cast-expression
//   && identifier
node* parser::unary_operator() {
  const nesting level(*this);
  const token_index first = at_;
  const punctuator op = now().mark;
  advance();
  if (op == punctuator::logical_and) {
    if (now().kind != token_kind::identifier) fail("identifier");
    identifier* name = now().name;
    if (!meaning_.scopes.function()) fail_with(first, "label address outside of a function");
    advance();
    return meaning_.references.label_address(from(first),
                                             meaning_.labels.label(name, at_ - 1, false));
  }
  node* e = cast_expression();
  return meaning_.unary(from(first), op, e);
}

// unary-expression:
//   sizeof unary-expression    sizeof ( type-name )
//   _Alignof unary-expression  _Alignof ( type-name )
//   __extension__ cast-expression
//   __real__ cast-expression   __imag__ cast-expression
node* parser::unary_keyword() {
  const nesting level(*this);
  const token_index first = at_;
  if (at(keyword::kw_sizeof)) return sizeof_expression(false);
  if (at(keyword::kw_alignof)) return sizeof_expression(true);
  if (accept(keyword::kw_extension)) {
    node* e = cast_expression();
    e->first = first;
    return e;
  }
  const bool imaginary = at(keyword::kw_imag);
  advance();
  node* e = cast_expression();
  return meaning_.operators.real_or_imaginary(from(first), imaginary, e);
}

node* parser::sizeof_expression(bool alignment) {
  const token_index first = at_;
  advance();
  if (!at(punctuator::left_parenthesis) || !starts_type(behind(1))) {
    node* e = unary_expression();
    return meaning_.sizes.size_of_expression(from(first), e, alignment);
  }
  const token_index parenthesis = at_;
  advance();
  written_type* written = type_name();
  expect(punctuator::right_parenthesis);
  if (!at(punctuator::left_brace))
    return meaning_.sizes.size_of_type(from(first), written, alignment);
  node* init = braced_initializer();
  node* literal = meaning_.compound_literal(from(parenthesis), written, init);
  node* e = postfix_rest(literal, parenthesis);
  return meaning_.sizes.size_of_expression(from(first), e, alignment);
}

node* parser::postfix_expression() {
  const token_index first = at_;
  return postfix_rest(primary_expression(), first);
}

// postfix-expression:
//   primary-expression
//   postfix-expression [ expression ]
//   postfix-expression ( [arguments] )
//   postfix-expression . identifier
//   postfix-expression -> identifier
//   postfix-expression ++
//   postfix-expression --
node* parser::postfix_rest(node* e, token_index first) {
  for (int operators = 0;; ++operators) {
    const token_index where = at_;
    const punctuator op = now().mark;
    switch (op) {
      case punctuator::left_bracket: {
        advance();
        node* subscript = expression();
        expect(punctuator::right_bracket);
        e = meaning_.references.index(from(first, where), e, subscript);
        break;
      }
      case punctuator::left_parenthesis:
        e = call_rest(e, first);
        break;
      case punctuator::dot:
      case punctuator::arrow: {
        advance();
        if (now().kind != token_kind::identifier) fail("identifier");
        identifier* name = now().name;
        advance();
        e = meaning_.references.member_of(from(first, where), e, name, op == punctuator::arrow);
        break;
      }
      case punctuator::increment:
      case punctuator::decrement:
        advance();
        e = meaning_.assignments.postfix(from(first, where), op, e);
        break;
      default:
        return e;
    }
    check_chain(operators);
  }
}

// arguments:
//   argument
//   arguments , argument
node* parser::call_rest(node* f, token_index first) {
  node_list arguments(*this);
  const bool types_too =
      f->kind == node_kind::name && f->referred && f->referred->kind == entity_kind::builtin;
  advance();
  if (!at(punctuator::right_parenthesis)) {
    do arguments.add(argument(types_too));
    while (accept(punctuator::comma));
  }
  expect(punctuator::right_parenthesis);
  return meaning_.calls.call(from(first), f, arguments.all());
}

// argument:
//   assignment-expression
//   type-name               of a builtin
node* parser::argument(bool types_too) {
  const token_index first = at_;
  if (!types_too || !starts_type(now())) return assignment_expression();
  written_type* written = type_name();
  return meaning_.selections.type_as_argument(from(first), written);
}

}  // namespace splitcc
