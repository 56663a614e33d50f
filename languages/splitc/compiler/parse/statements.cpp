// SPDX-License-Identifier: Apache-2.0
// Statements. (C17 6.8.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

// compound-statement:
//   { block-item* }
node* parser::compound_statement() {
  const token_index first = at_;
  expect(punctuator::left_brace);
  scope block(*this);
  node_list items(*this);
  block_items(items);
  end_of_block(first);
  block.leave();
  return meaning_.make(node_kind::compound, from(first), items.all());
}

void parser::block_items(node_list& items) {
  while (!at(punctuator::right_brace) && !at_end()) {
    const token_index first = at_;
    node* item = nullptr;
    if (!attempt([&] { item = block_item(); })) {
      skip_statement();
      item = meaning_.error_node(from(first));
    }
    items.add(item);
  }
}

// block-item:
//   declaration
//   __label__ ...
//   static-assertion
//   statement
// `__extension__` may precede each.
node* parser::block_item() {
  if (starts_label()) return labeled_statement(true);
  const token& t = now();
  if (t.kind == token_kind::identifier) {
    if (is_typedef_name(t)) return declaration();
    // `uint x`: no expression, so a declaration with an unknown type.
    const bool unknown = !t.name->ordinary && behind(1).kind == token_kind::identifier;
    return unknown ? declaration() : statement();
  }
  if (at_attributes()) {
    const token& next = behind(attributes_length());
    return starts_declaration(next) ? declaration() : statement();
  }
  if (at_declaration()) return declaration();
  if (is(behind(extensions()), keyword::kw_static_assert)) return static_assertion();
  if (at(keyword::kw_label)) return local_labels();
  return statement();
}

// statement:
//   labeled-statement
//   compound-statement
//   [expression] ;
//   keyword-statement
node* parser::statement() {
  const nesting level(*this);
  if (starts_label()) return labeled_statement(false);
  if (now().kind == token_kind::identifier) return expression_statement();
  if (at(punctuator::left_brace)) return compound_statement();
  if (at(punctuator::semicolon)) {
    const token_index first = at_;
    advance();
    return meaning_.make(node_kind::empty, from(first), {});
  }
  if (at_attributes()) return attribute_statement();
  return statement_keyword(now().word);
}

node* parser::statement_keyword(keyword k) {
  switch (k) {
    case keyword::kw_if:
      return if_statement();
    case keyword::kw_switch:
      return switch_statement();
    case keyword::kw_while:
      return while_statement();
    case keyword::kw_do:
      return do_statement();
    case keyword::kw_for:
      return for_statement();
    case keyword::kw_goto:
      return goto_statement();
    case keyword::kw_continue:
      return jump_statement(node_kind::continue_, in_loop_);
    case keyword::kw_break:
      return jump_statement(node_kind::break_, in_loop_ || in_switch_);
    case keyword::kw_return:
      return return_statement();
    case keyword::kw_asm:
      return assembler_statement();
    case keyword::kw_else:
      fail_with(at_, "'else' without a previous 'if'");
    default:
      return expression_statement();
  }
}

// attribute-statement:
//   attributes statement
node* parser::attribute_statement() {
  const token_index first = at_;
  attribute_set ignored;
  attributes(ignored);
  node* n = statement();
  n->first = first;
  return n;
}

node* parser::expression_statement() {
  const token_index first = at_;
  node* e = discarded(expression());
  expect_semicolon();
  return meaning_.make(node_kind::expression, from(first), {&e, 1});
}

// The value is not used; but what is remote is read.
node* parser::discarded(node* e) {
  return e->is_lvalue && e->place == reach::global ? meaning_.value_of(e) : e;
}

// ( expression )
node* parser::parenthesized_condition() {
  expect(punctuator::left_parenthesis);
  node* e = nullptr;
  const token_index first = at_;
  if (!attempt([&] {
        e = expression();
        if (!at(punctuator::right_parenthesis)) fail("')'");
      })) {
    skip_to_closing(punctuator::right_parenthesis);
    e = meaning_.error_node(from(first));
  }
  expect(punctuator::right_parenthesis);
  return e;
}

// if-statement:
//   if ( expression ) statement
//   if ( expression ) statement else statement
// A chain of `else if` is read in a loop, and its tree made from the end.
node* parser::if_statement() {
  statement_scopes blocks(*this);
  node_list parts(*this);
  std::vector<token_index> firsts;
  node* otherwise = nullptr;
  for (;;) {
    blocks.enter();
    check_chain(static_cast<int>(firsts.size()));
    firsts.push_back(at_);
    advance();
    parts.add(meaning_.statements.condition(parenthesized_condition()));
    parts.add(governed_statement());
    if (!accept(keyword::kw_else)) break;
    if (at(keyword::kw_if)) continue;
    otherwise = governed_statement();
    break;
  }
  const std::span<node* const> all = parts.all();
  for (std::size_t i = firsts.size(); i-- > 0;) {
    node* const children[] = {all[2 * i], all[2 * i + 1], otherwise};
    otherwise = meaning_.make(node_kind::if_, from(firsts[i]), children);
  }
  return otherwise;
}

// What a selection or a loop governs.
node* parser::governed_statement() {
  const statement_scope block(*this);
  return statement();
}

// The statement that `continue` and `break` in it refer to.
node* parser::loop_body() {
  const bool in_loop = std::exchange(in_loop_, true);
  node* body = governed_statement();
  in_loop_ = in_loop;
  return body;
}

// while-statement:
//   while ( expression ) statement
node* parser::while_statement() {
  const statement_scope block(*this);
  const token_index first = at_;
  advance();
  node* condition = meaning_.statements.condition(parenthesized_condition());
  node* const children[] = {condition, loop_body()};
  return meaning_.make(node_kind::while_, from(first), children);
}

// do-statement:
//   do statement while ( expression ) ;
node* parser::do_statement() {
  const statement_scope block(*this);
  const token_index first = at_;
  advance();
  node* body = loop_body();
  expect(keyword::kw_while);
  node* condition = meaning_.statements.condition(parenthesized_condition());
  expect_semicolon();
  node* const children[] = {body, condition};
  return meaning_.make(node_kind::do_, from(first), children);
}

// for-statement:
//   for ( [expression] ; [expression] ; [expression] ) statement
//   for ( declaration [expression] ; [expression] ) statement
node* parser::for_statement() {
  const token_index first = at_;
  advance();
  const statement_scope block(*this);
  expect(punctuator::left_parenthesis);
  std::optional<scope> names;  // of a declaration in the head, in C90 too
  if (at_declaration()) names.emplace(*this);
  node_list children(*this);
  if (!attempt([&] { for_header(children); })) {
    while (children.all().size() < 3) children.add(nullptr);
    while (!at_end() && !at(punctuator::right_parenthesis) && !at(punctuator::right_brace) &&
           !at(punctuator::left_brace))
      at(punctuator::left_parenthesis) ? skip_balanced() : advance();
  }
  expect(punctuator::right_parenthesis);
  children.add(loop_body());
  return meaning_.make(node_kind::for_, from(first), children.all());
}

void parser::for_header(node_list& children) {
  if (at_declaration()) {
    children.add(declaration());
  } else {
    children.add(at(punctuator::semicolon) ? nullptr : discarded(expression()));
    expect(punctuator::semicolon);
  }
  children.add(at(punctuator::semicolon) ? nullptr : meaning_.statements.condition(expression()));
  expect(punctuator::semicolon);
  children.add(at(punctuator::right_parenthesis) ? nullptr : discarded(expression()));
  if (!at(punctuator::right_parenthesis)) fail("')'");
}

// goto-statement:
//   goto identifier ;
//   goto * expression ;
node* parser::goto_statement() {
  const token_index first = at_;
  advance();
  if (accept(punctuator::star)) {
    node* e = meaning_.value_of(expression());
    expect_semicolon();
    return meaning_.make(node_kind::goto_computed, from(first), {&e, 1});
  }
  if (now().kind != token_kind::identifier) fail("identifier or '*'");
  label_target* target = meaning_.labels.label(now().name, at_, false);
  note_jump(target, false);
  advance();
  expect_semicolon();
  node* n = meaning_.make(node_kind::goto_, from(first), {});
  n->target = target;
  return n;
}

// jump-statement:
//   break ;
//   continue ;
node* parser::jump_statement(node_kind kind, bool allowed) {
  const token_index first = at_;
  if (!allowed) {
    error(first, kind == node_kind::break_ ? "break statement not within loop or switch"
                                           : "continue statement not within a loop");
  }
  advance();
  expect_semicolon();
  return meaning_.make(kind, from(first), {});
}

// return-statement:
//   return [expression] ;
node* parser::return_statement() {
  const token_index first = at_;
  advance();
  node* e = at(punctuator::semicolon) ? nullptr : expression();
  expect_semicolon();
  return meaning_.statements.return_value(from(first), e);
}

}  // namespace splitcc
