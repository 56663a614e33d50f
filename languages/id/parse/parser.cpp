// SPDX-License-Identifier: Apache-2.0
// Tokens, errors, and where the parser goes on behind them.
#include "languages/id/parse/parser.hpp"

#include "languages/id/lex/lexer.hpp"
#include "languages/id/parse/grammar.hpp"

namespace idc {

using enum token_kind;

parser::parser(const frontend::source_text& source, std::uint32_t base, parser_memory memory,
               frontend::messages& report)
    : source_(source),
      base_(base),
      memory_(&memory.tree),
      datatypes_(memory.datatypes),
      report_(report),
      tokens_(lex(source, report)) {}

parser::nesting::nesting(parser& of) : of_(of) {
  of.deepest_ = std::max(of.deepest_, of.depth_ + 1);
  if (++of.depth_ <= kNestingMax) return;
  --of.depth_;
  of.error(of.here(), "nested more than " + std::to_string(kNestingMax) + " levels deep");
  throw syntax_error{};
}

void parser::chain::end_link() {
  of_.deepest_ = std::max(of_.deepest_, left_ + 1);
  if (of_.deepest_ <= kDeepestMax) return;
  of_.error(of_.here(), "more than " + std::to_string(kDeepestMax) +
                            " operators, arguments, clauses, patterns or generators in a row");
  throw syntax_error{};
}

void parser::chain::end_inner_link() {
  of_.deepest_ += ++inner_links_;
  end_link();
}

void parser::check_clauses(std::size_t count) {
  if (count <= kClausesMax) return;
  error(here(), "more than " + std::to_string(kClausesMax) + " clauses");
  throw syntax_error{};
}

bool parser::accept(token_kind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

void parser::expect(token_kind kind) {
  if (!accept(kind)) fail("'" + std::string(spelling(kind)) + "'");
}

std::string_view parser::expect_text(token_kind kind) {
  if (!at(kind)) fail("a " + std::string(spelling(kind)));
  const std::string_view text = text_of(now());
  advance();
  return text;
}

// One report for each token: what is wrong there is wrong in several productions.
void parser::error(position where, std::string_view text) {
  if (at_ == last_error_) return;
  last_error_ = at_;
  report_.error(source_.place_of(where.at - base_, where.width), text);
}

void parser::fail(std::string_view expected) {
  const std::string found =
      at(end) ? "the end of the program" : "'" + std::string(text_of(now())) + "'";
  error(here(), "expected " + std::string(expected) + ", found " + found);
  throw syntax_error{};
}

void parser::skip_to(token_kind stop) {
  int depth = 0;
  for (; !at(end); advance()) {
    if (depth == 0 && (at(semicolon) || at(stop))) return;
    if (stop == end && (at(def) || at(type) || at(typeof_)) && depth <= 1) return;
    if (at(left_brace) || at(left_list) || at(left_parenthesis) || at(left_bracket)) ++depth;
    if (at(right_brace) || at(right_list) || at(right_parenthesis) || at(right_bracket))
      depth -= depth > 0;
  }
}

void parse(const frontend::source_text& source, std::uint32_t base, parser_memory memory,
           frontend::messages& report, program& to) {
  parser(source, base, memory, report).parse_program(to);
}

}  // namespace idc
