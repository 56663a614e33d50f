// SPDX-License-Identifier: Apache-2.0
// Types as they are written.
#include "languages/id/parse/grammar.hpp"

namespace idc {

using enum token_kind;
using type_kind = type_expression::kind;

// type = type_application [ "->" type ] .
type_expression* parser::parse_type() {
  const nesting deeper(*this);
  type_expression* from = parse_type_application();
  if (!accept(arrow)) return from;
  type_expression* made = make<type_expression>(from->where);
  made->is = type_kind::arrow;
  made->parts = list<type_expression>({from, parse_type()});
  return made;
}

// type_application = name { simple_type } | simple_type .
type_expression* parser::parse_type_application() {
  if (!at(name) && !at(array) && !at(matrix)) return parse_simple_type();
  type_expression* made = make<type_expression>(here());
  made->name = text_of(now());
  advance();
  std::vector<type_expression*> arguments;
  while (begins_simple_type()) arguments.push_back(parse_simple_type());
  made->parts = list(arguments);
  return made;
}

bool parser::begins_simple_type() const {
  return at(name) || at(array) || at(matrix) || at(star) || at(left_parenthesis);
}

// simple_type = name | type_variable | "(" type { "," type } ")" .
type_expression* parser::parse_simple_type() {
  if (!begins_simple_type()) fail("a type");
  type_expression* made = make<type_expression>(here());
  if (at(star)) {
    made->is = type_kind::variable;
    made->name = parse_type_variable();
  } else if (accept(left_parenthesis)) {
    std::vector<type_expression*> elements;
    do elements.push_back(parse_type());
    while (accept(comma));
    expect(right_parenthesis);
    if (elements.size() == 1) return elements.front();
    made->is = type_kind::tuple;
    made->parts = list(elements);
  } else {
    made->name = text_of(now());
    advance();
  }
  return made;
}

// type_variable = "*" ( integer | name ) .
std::string_view parser::parse_type_variable() {
  expect(star);
  if (!at(integer) && !at(name)) fail("the number or name of a type variable");
  const std::string_view text = text_of(now());
  advance();
  return text;
}

}  // namespace idc
