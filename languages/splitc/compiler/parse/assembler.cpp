// SPDX-License-Identifier: Apache-2.0
// asm: statements, and at file scope. `::` is two colons here. (GNU C.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

namespace {
enum section { kOutputs = 1, kInputs, kClobbers, kLabels };
}

// assembler-statement:
//   asm {volatile | inline | goto | const} ( string {: section} ) ;
node* parser::assembler_statement() {
  const token_index first = at_;
  advance();
  while (at(keyword::kw_volatile) || at(keyword::kw_inline) || at(keyword::kw_goto) ||
         at(keyword::kw_const))
    advance();
  node_list operands(*this);
  expect(punctuator::left_parenthesis);
  assembler_strings();
  assembler_sections(operands);
  expect(punctuator::right_parenthesis);
  expect_semicolon();
  return meaning_.make(node_kind::asm_, from(first), operands.all());
}

// file-assembler:
//   asm {volatile | inline} ( string ) ;
node* parser::file_assembler() {
  const token_index first = at_;
  advance();
  while (at(keyword::kw_volatile) || at(keyword::kw_inline)) advance();
  expect(punctuator::left_parenthesis);
  assembler_strings();
  expect(punctuator::right_parenthesis);
  expect_semicolon();
  return meaning_.make(node_kind::file_asm, from(first), {});
}

void parser::assembler_strings() {
  if (now().kind != token_kind::string) fail("string literal");
  while (now().kind == token_kind::string) advance();
}

void parser::assembler_sections(node_list& operands) {
  int section = 0;
  while (!at(punctuator::right_parenthesis)) {
    if (accept(punctuator::colon))
      section += 1;
    else if (accept(punctuator::double_colon))
      section += 2;
    else
      fail("':' or ')'");
    if (section > kLabels) fail("')'");
    if (!at(punctuator::colon) && !at(punctuator::double_colon) &&
        !at(punctuator::right_parenthesis))
      assembler_section(section, operands);
  }
}

// section:
//   assembler-operand {, assembler-operand}
//   string {, string}                        clobbers
//   identifier {, identifier}                labels of asm goto
void parser::assembler_section(int section, node_list& operands) {
  do {
    if (section == kClobbers) {
      assembler_strings();
    } else if (section == kLabels) {
      if (now().kind != token_kind::identifier) fail("identifier");
      note_jump(meaning_.labels.label(now().name, at_, false), false);
      advance();
    } else {
      assembler_operand(section == kOutputs, operands);
    }
  } while (accept(punctuator::comma));
}

// assembler-operand:
//   [ [ identifier ] ] string ( expression )
void parser::assembler_operand(bool is_output, node_list& operands) {
  if (accept(punctuator::left_bracket)) {
    if (now().kind != token_kind::identifier && now().kind != token_kind::keyword)
      fail("identifier");
    advance();
    expect(punctuator::right_bracket);
  }
  assembler_strings();
  expect(punctuator::left_parenthesis);
  node* e = expression();
  if (e->is_lvalue && e->place == reach::global) {
    if (is_output) error(e->at, "the output of an asm statement must be a local lvalue");
    e = meaning_.value_of(e);
  }
  operands.add(e);
  expect(punctuator::right_parenthesis);
}

}  // namespace splitcc
