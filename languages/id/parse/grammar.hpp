// SPDX-License-Identifier: Apache-2.0
// The productions, a function for each; the grammar as a whole is in docs/id.md.
#ifndef IDC_PARSE_GRAMMAR_HPP
#define IDC_PARSE_GRAMMAR_HPP

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "languages/id/lex/lexer.hpp"
#include "languages/id/parse/parser.hpp"
#include "languages/id/tree/tree.hpp"
#include "languages/support/arena.hpp"
#include "languages/support/source_text.hpp"

namespace idc {

// Thrown where a production cannot go on; caught where the next statement can be found.
struct syntax_error {};

class parser {
 public:
  parser(const frontend::source_text& source, std::uint32_t base, parser_memory memory,
         frontend::messages& report);
  void parse_program(program& to);

 private:
  // Counts productions that call themselves, so that no program overflows the stack.
  class nesting {
   public:
    explicit nesting(parser& of);
    ~nesting() { --of_.depth_; }

   private:
    parser& of_;
  };
  static constexpr int kNestingMax = 400;
  // Operators or arguments in a row make a tree that is deep on its left side; of clauses, patterns
  // and generators in a row each is inside of what becomes of those before it. deepest_ is that of
  // what was parsed since it was set, as if each link were a level of nesting.
  class chain {
   public:
    explicit chain(parser& of) : of_(of), before_(std::exchange(of.deepest_, of.depth_)) {}
    ~chain() { of_.deepest_ = std::max(of_.deepest_, before_); }
    void begin_link() { left_ = std::exchange(of_.deepest_, of_.depth_); }
    void end_link();
    void end_inner_link();  // what the link made is as many levels deep as there are links

   private:
    parser& of_;
    int before_;
    int left_ = 0;
    int inner_links_ = 0;
  };

  // definitions.cpp
  void parse_definition(program& to);
  function* parse_function();
  clause* parse_clause();
  void parse_datatype(program& to);
  constructor* parse_constructor(datatype& of);
  annotation parse_annotation();

  // types.cpp
  type_expression* parse_type();
  type_expression* parse_type_application();
  type_expression* parse_simple_type();
  std::string_view parse_type_variable();
  bool begins_simple_type() const;

  // patterns.cpp
  pattern* parse_pattern();
  pattern* parse_applied_pattern();
  pattern* parse_simple_pattern();
  std::span<pattern*> parse_simple_patterns(chain& inside);
  pattern* parse_literal_pattern();
  bool begins_simple_pattern() const;

  // expressions.cpp
  expression* parse_expression();
  expression* parse_choice();
  expression* parse_binary(int level);
  expression* parse_unary();
  expression* parse_application();
  expression* parse_postfix();
  expression* parse_primary();
  expression* parse_literal();
  expression* parse_parenthesised();
  bool begins_postfix() const;
  std::span<expression*> parse_indices();

  // braces.cpp
  expression* parse_braces();
  expression* parse_block();
  expression* parse_case();
  expression* parse_lambda();
  expression* parse_for();
  expression* parse_while();
  expression* parse_array();
  expression* parse_list();
  std::span<statement*> parse_statements(bool in_loop);
  statement* parse_statement(bool in_loop);
  statement* parse_equation(statement* s);
  void define_value(statement& s);
  expression* parse_finally(expression* loop);
  region* parse_region();
  std::span<generator*> parse_generators(chain& inside);
  generator* parse_generator();
  generator* parse_condition();
  bool is_equation() const;

  // tokens
  const token& now() const { return tokens_[at_]; }
  bool at(token_kind kind) const { return now().kind == kind; }
  void advance() { at_ += at(token_kind::end) ? 0 : 1; }
  bool accept(token_kind kind);
  void expect(token_kind kind);
  std::string_view expect_text(token_kind kind);  // of a name, a constructor
  std::string_view text_of(const token& t) const { return source_.text().substr(t.at, t.width); }
  position here() const { return {now().at + base_, now().width}; }
  [[noreturn]] void fail(std::string_view expected);
  void error(position where, std::string_view text);
  void skip_to(token_kind stop);  // a semicolon or the stop at the same depth

  template <class T>
  T* make(position where) {
    T* made = memory_->make<T>();
    made->where = where;
    return made;
  }
  template <class T>
  std::span<T*> list(const std::vector<T*>& items) {
    return memory_->list(std::span<T* const>(items.data(), items.size()));
  }
  expression* make(expression_kind is, position where) {
    expression* made = make<expression>(where);
    made->is = is;
    return made;
  }
  expression* make_compound(expression_kind is, position where) {
    expression* made = make(is, where);
    made->inside = memory_->make<compound>();
    return made;
  }
  // While it lives, what is parsed is put there.
  class within {
   public:
    within(frontend::arena*& now, frontend::arena* there)
        : now_(now), was_(std::exchange(now, there)) {}
    ~within() { now_ = was_; }

   private:
    frontend::arena*& now_;
    frontend::arena* was_;
  };
  static constexpr int kDeepestMax = 1500;
  static constexpr std::size_t kClausesMax = 1000;
  void check_clauses(std::size_t count);

  const frontend::source_text& source_;
  std::uint32_t base_;
  frontend::arena* memory_;  // of what is parsed
  frontend::arena& datatypes_;
  frontend::messages& report_;
  std::vector<token> tokens_;
  std::size_t at_ = 0;
  std::size_t last_error_ = ~std::size_t{0};
  int depth_ = 0;
  int deepest_ = 0;
};

}  // namespace idc

#endif
