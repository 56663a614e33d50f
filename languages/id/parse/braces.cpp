// SPDX-License-Identifier: Apache-2.0
// Expressions in braces: blocks, cases, loops, comprehensions.
#include "languages/id/parse/grammar.hpp"

namespace idc {

using enum token_kind;

// braces = case | lambda | for | while | array | block .
expression* parser::parse_braces() {
  const nesting deeper(*this);
  switch (tokens_[at_ + 1].kind) {
    case case_:
      return parse_case();
    case fun:
      return parse_lambda();
    case for_:
      return parse_for();
    case while_:
      return parse_while();
    case array:
    case matrix:
      return parse_array();
    default:
      return parse_block();
  }
}

// block = "{" { statement ";" } [ "in" expression ] "}" .
expression* parser::parse_block() {
  expression* made = make_compound(expression_kind::block, here());
  expect(left_brace);
  made->inside->statements = parse_statements(false);
  if (accept(in)) made->parts = list<expression>({parse_expression()});
  expect(right_brace);
  return made;
}

// case = "{" "case" expression "of" { "|" pattern "=" expression } "}" .
expression* parser::parse_case() {
  expression* made = make_compound(expression_kind::case_, here());
  expect(left_brace);
  expect(case_);
  made->parts = list<expression>({parse_expression()});
  expect(of);
  std::vector<clause*> clauses;
  chain links(*this);
  accept(bar);
  do {
    check_clauses(clauses.size() + 1);
    links.begin_link();
    clause* each = make<clause>(here());
    each->parameters = list<pattern>({parse_pattern()});
    expect(equals);
    each->body = parse_expression();
    clauses.push_back(each);
    links.end_inner_link();
  } while (accept(bar));
  made->inside->clauses = list(clauses);
  expect(right_brace);
  return made;
}

// lambda = "{" "fun" clause "}" .
expression* parser::parse_lambda() {
  expression* made = make(expression_kind::lambda, here());
  expect(left_brace);
  const position where = here();
  expect(fun);
  made->made = make<function>(where);
  if (!begins_simple_pattern()) fail("a parameter");
  made->made->clauses.push_back(parse_clause());
  expect(right_brace);
  return made;
}

// for = "{" "for" generator "do" { statement ";" } [ "finally" expression ] "}" .
expression* parser::parse_for() {
  expression* made = make_compound(expression_kind::for_loop, here());
  expect(left_brace);
  expect(for_);
  const position where = here();
  made->inside->generators = list<generator>({parse_generator()});
  if (made->inside->generators[0]->is == generator::kind::condition)
    error(where, "expected 'name <- first to last' or 'pattern <- list'");
  expect(do_);
  return parse_finally(made);
}

// while = "{" "while" expression "do" { statement ";" } [ "finally" expression ] "}" .
expression* parser::parse_while() {
  expression* made = make_compound(expression_kind::while_loop, here());
  expect(left_brace);
  expect(while_);
  made->parts = list<expression>({parse_expression()});
  expect(do_);
  return parse_finally(made);
}

expression* parser::parse_finally(expression* loop) {
  loop->inside->statements = parse_statements(true);
  std::vector<expression*> parts(loop->parts.begin(), loop->parts.end());
  if (accept(finally)) parts.push_back(parse_expression());
  loop->parts = list(parts);
  expect(right_brace);
  return loop;
}

std::span<statement*> parser::parse_statements(bool in_loop) {
  std::vector<statement*> statements;
  while (!at(right_brace) && !at(in) && !at(finally) && !at(end)) {
    try {
      statements.push_back(parse_statement(in_loop));
      if (!at(right_brace) && !at(in) && !at(finally)) expect(semicolon);
    } catch (const syntax_error&) {
      skip_to(right_brace);
      if (!accept(semicolon)) throw;
    }
  }
  return list(statements);
}

// statement = function | "next" name "=" expression | equation .
statement* parser::parse_statement(bool in_loop) {
  statement* made = make<statement>(here());
  if (at(def)) {
    made->is = statement_kind::define;
    made->defined = parse_function();
    if (made->defined->arity() == 0) define_value(*made);
    return made;
  }
  if (!at(next)) return parse_equation(made);
  made->is = statement_kind::next;
  if (!in_loop) error(here(), "'next' stands outside of the statements of a loop");
  expect(next);
  made->where = here();
  made->name = expect_text(name);
  expect(equals);
  made->value = parse_expression();
  return made;
}

// A local definition without parameters is a binding.
void parser::define_value(statement& s) {
  s.is = statement_kind::bind;
  s.target = make<pattern>(s.defined->where);
  s.target->is = pattern::kind::variable;
  s.target->name = s.defined->name;
  s.value = s.defined->clauses.front()->body;
  s.defined = nullptr;
}

// Whether a single `=` comes before the end of the statement, behind what can be a pattern.
bool parser::is_equation() const {
  int depth = 0;
  for (std::size_t i = at_; tokens_[i].kind != end; ++i) {
    const token_kind kind = tokens_[i].kind;
    if (kind == left_brace || kind == left_list || kind == left_bracket || kind == exclamation)
      return false;
    if (kind == left_parenthesis) ++depth;
    if (kind == right_parenthesis) --depth;
    if (depth < 0 || kind == semicolon || kind == right_brace) return false;
    if (depth == 0 && kind == equals) return true;
  }
  return false;
}

// equation = pattern "=" expression | postfix [ "!" ] indices "=" expression | expression .
statement* parser::parse_equation(statement* s) {
  if (is_equation()) {
    s->target = parse_pattern();
    expect(equals);
    s->value = parse_expression();
    return s;
  }
  s->is = statement_kind::effect;
  s->value = parse_expression();
  if (!accept(equals)) return s;
  const expression& place = *s->value;
  if (place.is != expression_kind::index && place.is != expression_kind::take) {
    report_.error(source_.place_of(place.where.at - base_, place.where.width),
                  "what stands before '=' is neither a pattern nor an element of an array");
  } else {
    s->is = place.is == expression_kind::index ? statement_kind::store : statement_kind::put;
    s->array = place.parts[0];
    s->indices = place.parts.subspan(1);
  }
  s->value = parse_expression();
  return s;
}

// array = "{" ( "array" | "matrix" ) primary { region } "}" .
expression* parser::parse_array() {
  expression* made = make_compound(expression_kind::array, here());
  expect(left_brace);
  made->inside->is_matrix = at(matrix);
  advance();
  made->parts = list<expression>({parse_primary()});
  std::vector<region*> regions;
  while (at(bar)) {
    regions.push_back(parse_region());
    if (regions.back()->indices.size() != (made->inside->is_matrix ? 2u : 1u))
      report_.error(
          source_.place_of(regions.back()->where.at - base_, 1),
          made->inside->is_matrix ? "a matrix has two indices" : "an array has one index");
  }
  made->inside->regions = list(regions);
  expect(right_brace);
  return made;
}

// region = "|" indices "=" expression [ "||" generators ] .
region* parser::parse_region() {
  region* made = make<region>(here());
  expect(bar);
  made->indices = parse_indices();
  expect(equals);
  chain links(*this);
  made->value = parse_expression();
  if (accept(bars)) made->generators = parse_generators(links);
  return made;
}

// list = "{:" [ expression ( { "," expression } | "||" generators ) ] ":}" .
expression* parser::parse_list() {
  const nesting deeper(*this);
  expression* made = make_compound(expression_kind::list, here());
  expect(left_list);
  std::vector<expression*> values;
  chain links(*this);
  if (!at(right_list)) {
    do values.push_back(parse_expression());
    while (accept(comma));
    if (values.size() == 1 && accept(bars)) made->inside->generators = parse_generators(links);
  }
  made->parts = list(values);
  expect(right_list);
  return made;
}

// generators = generator { "&" generator | "when" expression } .
std::span<generator*> parser::parse_generators(chain& inside) {
  inside.begin_link();
  std::vector<generator*> generators = {parse_generator()};
  inside.end_inner_link();
  while (at(ampersand) || at(when)) {
    inside.begin_link();
    generators.push_back(accept(ampersand) ? parse_generator() : parse_condition());
    inside.end_inner_link();
  }
  return list(generators);
}

generator* parser::parse_condition() {
  generator* made = make<generator>(here());
  expect(when);
  made->is = generator::kind::condition;
  made->first = parse_expression();
  return made;
}

// generator = pattern "<-" expression [ ( "to" | "downto" ) expression [ "by" expression ] ] .
generator* parser::parse_generator() {
  generator* made = make<generator>(here());
  made->target = parse_pattern();
  expect(generates);
  made->first = parse_expression();
  made->is = generator::kind::list;
  if (at(to) || at(downto)) {
    made->is = generator::kind::range;
    made->downwards = at(downto);
    advance();
    made->last = parse_expression();
    if (accept(by)) made->step = parse_expression();
    if (made->target->is != pattern::kind::variable)
      report_.error(source_.place_of(made->where.at - base_, made->where.width),
                    "what counts must be a name");
  }
  return made;
}

}  // namespace idc
