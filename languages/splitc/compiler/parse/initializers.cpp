// SPDX-License-Identifier: Apache-2.0
// Initializers. (C17 6.7.9; GNU: ranges, `name: value`, `[n] value`.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

// initializer:
//   assignment-expression
//   braced-initializer
node* parser::initializer() {
  return at(punctuator::left_brace) ? braced_initializer() : assignment_expression();
}

// braced-initializer:
//   { [initializer-item {, initializer-item} [,]] }
node* parser::braced_initializer() {
  const nesting level(*this);
  const token_index first = at_;
  advance();
  node_list items(*this);
  const bool whole = attempt([&] {
    while (!at(punctuator::right_brace)) {
      items.add(initializer_item());
      if (!accept(punctuator::comma)) break;
    }
    if (!at(punctuator::right_brace)) fail("'}'");
  });
  if (!whole) skip_to_closing(punctuator::right_brace);
  expect(punctuator::right_brace);
  if (!whole) return meaning_.error_node(from(first));
  return meaning_.initializers.initializer(from(first), items.all());
}

// initializer-item:
//   initializer
//   designation initializer
node* parser::initializer_item() {
  const token& t = now();
  const bool old_form = t.kind == token_kind::identifier && is(behind(1), punctuator::colon);
  if (old_form || is(t, punctuator::dot) || is(t, punctuator::left_bracket)) return designation();
  return initializer();
}

// designation:
//   designator+ =
//   index-designator
//   identifier :
// designator:
//   index-designator
//   . identifier
node* parser::designation() {
  const token_index first = at_;
  node_list designators(*this);
  if (now().kind == token_kind::identifier) {
    designators.add(offset_member());
    advance();
  } else {
    while (at(punctuator::dot) || at(punctuator::left_bracket)) {
      if (at(punctuator::left_bracket)) {
        designators.add(index_designator());
        continue;
      }
      const token_index dot = at_;
      advance();
      if (now().kind != token_kind::identifier) fail("identifier");
      identifier* name = now().name;
      advance();
      designators.add(meaning_.initializers.designator_member(from(dot), name));
    }
    const bool gnu_index =
        designators.all().size() == 1 && designators.all()[0]->kind == node_kind::designator_index;
    if (!accept(punctuator::assign) && !gnu_index) fail("'='");
  }
  node* value = initializer();
  return meaning_.initializers.designation(from(first), designators.all(), value);
}

// index-designator:
//   [ constant-expression ]
//   [ constant-expression ... constant-expression ]
node* parser::index_designator() {
  const token_index first = at_;
  advance();
  node* low = conditional_expression();
  node* high = accept(punctuator::ellipsis) ? conditional_expression() : nullptr;
  expect(punctuator::right_bracket);
  return meaning_.initializers.designator_index(from(first), low, high);
}

}  // namespace splitcc
