// SPDX-License-Identifier: Apache-2.0
// What stands at the outermost level of a program, and local functions.
#include "languages/id/parse/grammar.hpp"

namespace idc {

using enum token_kind;

// program = { definition ";" } .
void parser::parse_program(program& to) {
  while (!at(end)) {
    try {
      parse_definition(to);
      if (!at(end)) expect(semicolon);
    } catch (const syntax_error&) {
      skip_to(end);
      accept(semicolon);
    }
  }
}

// definition = "def" function | "type" datatype | "typeof" annotation .
void parser::parse_definition(program& to) {
  if (at(def)) return to.functions.push_back(parse_function());
  if (at(type)) {
    const within datatypes(memory_, &datatypes_);
    return parse_datatype(to);
  }
  if (at(typeof_)) return to.annotations.push_back(parse_annotation());
  fail("'def', 'type' or 'typeof'");
}

// function = "def" name clause { "|" name clause } .
function* parser::parse_function() {
  expect(def);
  function* made = make<function>(here());
  made->name = expect_text(name);
  chain links(*this);
  made->clauses.push_back(parse_clause());
  while (accept(bar)) {
    links.begin_link();
    const position where = here();
    check_clauses(made->clauses.size() + 1);
    if (expect_text(name) != made->name)
      error(where,
            "this clause belongs to '" + std::string(made->name) + "' and must begin with it");
    made->clauses.push_back(parse_clause());
    if (made->clauses.back()->parameters.size() != made->arity())
      error(where, "'" + std::string(made->name) + "' has " + std::to_string(made->arity()) +
                       " parameters in its first clause, and " +
                       std::to_string(made->clauses.back()->parameters.size()) + " here");
    links.end_inner_link();
  }
  return made;
}

// clause = { simple_pattern } "=" expression .
clause* parser::parse_clause() {
  clause* made = make<clause>(here());
  chain links(*this);
  made->parameters = parse_simple_patterns(links);
  expect(equals);
  links.begin_link();
  made->body = parse_expression();
  links.end_inner_link();
  return made;
}

// datatype = "type" name { type_variable } "=" constructor { "|" constructor } .
void parser::parse_datatype(program& to) {
  expect(type);
  datatype* made = make<datatype>(here());
  made->name = expect_text(name);
  while (at(star)) made->parameters.push_back(parse_type_variable());
  expect(equals);
  do made->constructors.push_back(parse_constructor(*made));
  while (accept(bar));
  to.types.push_back(made);
}

// constructor = Name { simple_type } .
constructor* parser::parse_constructor(datatype& of) {
  constructor* made = make<constructor>(here());
  made->name = expect_text(token_kind::constructor_name);
  made->of = &of;
  made->tag = static_cast<std::uint32_t>(of.constructors.size());
  std::vector<type_expression*> fields;
  chain links(*this);
  while (begins_simple_type()) {
    links.begin_link();
    fields.push_back(parse_simple_type());
    links.end_inner_link();
  }
  made->fields = list(fields);
  return made;
}

// annotation = "typeof" name "=" type .
annotation parser::parse_annotation() {
  expect(typeof_);
  annotation made;
  made.where = here();
  made.name = expect_text(name);
  expect(equals);
  made.is = parse_type();
  return made;
}

}  // namespace idc
