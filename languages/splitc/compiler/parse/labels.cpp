// SPDX-License-Identifier: Apache-2.0
// Labels, and the switches that cases belong to. (C17 6.8.1, 6.8.4.2; GNU C.)
#include <algorithm>

#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

// switch-statement:
//   switch ( expression ) statement
node* parser::switch_statement() {
  const token_index first = at_;
  const statement_scope block(*this);
  advance();
  node* value = meaning_.statements.switch_value(parenthesized_condition());
  const state around = save();
  default_at_ = kNoToken;
  switch_sized_ = sized_;
  in_switch_ = true;
  node* body = governed_statement();
  check_cases(around.cases, value->type.of);
  restore(around);
  node* const children[] = {value, body};
  return meaning_.make(node_kind::switch_, from(first), children);
}

namespace {

// A case's value after its conversion to the promoted type of the switch.
__int128 converted(__int128 value, const type* t) {
  if (!is_integer(t)) return value;
  const std::uint64_t bytes = size_of(t).value_or(16);
  if (bytes >= 16) return value;
  const unsigned shift = 128 - static_cast<unsigned>(std::max<std::uint64_t>(bytes, 4)) * 8;
  const auto high = static_cast<unsigned __int128>(value) << shift;
  return is_unsigned(t) && bytes >= 4 ? static_cast<__int128>(high >> shift)
                                      : static_cast<__int128>(high) >> shift;
}

}  // namespace

// No value may be in two cases of a switch.
void parser::check_cases(std::size_t first, const type* t) {
  const auto begin = cases_.begin() + static_cast<std::ptrdiff_t>(first);
  for (auto c = begin; c != cases_.end(); ++c) {
    const bool is_range = c->first != c->last;
    c->first = converted(c->first, t);
    c->last = is_range ? converted(c->last, t) : c->first;
  }
  std::sort(begin, cases_.end(), [](const case_range& a, const case_range& b) {
    return a.first != b.first ? a.first < b.first : a.at < b.at;
  });
  for (std::size_t i = first + 1; i < cases_.size(); ++i) {
    const case_range& before = cases_[i - 1];
    if (before.last < cases_[i].first) continue;
    const auto [earlier, later] = std::minmax(before.at, cases_[i].at);
    if (error(later, "duplicate case value"))
      report_.note(earlier, "the value is in this case already");
    cases_[i].last = std::max(before.last, cases_[i].last);
  }
}

// A colon behind a label. `case 1:-x` has another token there.
void parser::expect_colon() {
  if (at(punctuator::store) || at(punctuator::split_phase) || at(punctuator::double_colon))
    fail_with(at_, expected_text("':'") + "; a space is missing behind the colon");
  expect(punctuator::colon);
}

bool parser::starts_label() const {
  if (now().kind == token_kind::identifier) return is(behind(1), punctuator::colon);
  return at(keyword::kw_case) || at(keyword::kw_default);
}

// labeled-statement:
//   label [attributes] [statement]
// label:
//   identifier :
//   case constant-expression :
//   case constant-expression ... constant-expression :
//   default :
node* parser::labeled_statement(bool in_block) {
  if (at(keyword::kw_case)) return case_statement(in_block);
  if (at(keyword::kw_default)) return default_statement(in_block);
  const token_index first = at_;
  label_target* target = meaning_.labels.label(now().name, first, true);
  note_jump(target, true);
  advance();
  expect(punctuator::colon);
  node* child = after_label(in_block);
  node* n = meaning_.make(node_kind::label, from(first), {&child, 1});
  n->target = target;
  return n;
}

node* parser::case_statement(bool in_block) {
  const token_index first = at_;
  const bool in_switch = in_switch_;
  if (!in_switch)
    error(first, "case label not within a switch statement");
  else
    check_case_jump();
  advance();
  node* low = meaning_.statements.case_value(conditional_expression());
  node* high = nullptr;
  if (accept(punctuator::ellipsis)) high = meaning_.statements.case_value(conditional_expression());
  if (in_switch && low->is_constant) {
    const __int128 last = high && high->is_constant ? high->value : low->value;
    if (last >= low->value) cases_.push_back({low->value, last, first});
  }
  expect_colon();
  node* const children[] = {low, high, after_label(in_block)};
  return meaning_.make(node_kind::case_, from(first), children);
}

node* parser::default_statement(bool in_block) {
  const token_index first = at_;
  if (!in_switch_) error(first, "'default' label not within a switch statement");
  const bool again = default_at_ != kNoToken;
  if (again && error(first, "multiple default labels in one switch"))
    report_.note(default_at_, "this is the first default label");
  if (in_switch_) {
    check_case_jump();
    default_at_ = first;
  }
  advance();
  expect_colon();
  node* child = after_label(in_block);
  return meaning_.make(node_kind::default_, from(first), {&child, 1});
}

// The statement behind a label. It is empty and without tokens where the label stands alone: before
// the end of the block, a declaration, or in a block another label (so a thousand cases in a row
// are a list, not a tree of that depth).
node* parser::after_label(bool in_block) {
  if (at_attributes()) {
    attribute_set ignored;
    attributes(ignored);
  }
  if (at(punctuator::right_brace) || (in_block && starts_label()) || starts_declaration(now()))
    return meaning_.make(node_kind::empty, from(at_), {});
  return statement();
}

// local-labels:
//   __label__ identifier {, identifier} ;
node* parser::local_labels() {
  const token_index first = at_;
  advance();
  do {
    if (now().kind != token_kind::identifier) fail("identifier");
    meaning_.declare_local_label(now().name, at_);
    advance();
  } while (accept(punctuator::comma));
  expect_semicolon();
  return meaning_.make(node_kind::local_label, from(first), {});
}

}  // namespace splitcc
