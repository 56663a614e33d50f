// SPDX-License-Identifier: Apache-2.0
// What the parts of the assembler share: the tokens, the program that comes to be, and the names of
// the code block and the body that they are in.
#ifndef TL0_PARSE_ASSEMBLER_HPP
#define TL0_PARSE_ASSEMBLER_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "languages/support/messages.hpp"
#include "languages/tam/tl0/lex/lexer.hpp"
#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

// An operand and its type. A wrong expression has no type, and no further message is about it.
struct value {
  operand from;
  index type = kNone;
  const token* first = nullptr;  // where it is written
  bool is_new = false;  // an instruction computes it for this use alone
};

enum class declared : std::uint8_t { slot, inlet, thread };

struct declaration {
  declared is;
  index at;  // in the program's array of these
};

class assembler {
 public:
  assembler(const token_list& tokens, frontend::messages& report);

  program run();

 private:
  // A part cannot be read any further; the message is out.
  struct unreadable {};
  struct body_tokens {
    std::size_t first;  // after the brace
    index owner;
    bool is_inlet;
  };
  // A step down in what nests, so that no text can exhaust the stack.
  class nesting {
   public:
    explicit nesting(assembler& of) : of_(of) {
      if (++of_.depth_ > kNestingMax) of_.too_deep();
    }
    ~nesting() { --of_.depth_; }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;

   private:
    assembler& of_;
  };
  static constexpr int kNestingMax = 200;
  using names = std::unordered_map<std::string_view, declaration>;

  // ---- tokens (declarations.cpp) ----
  const token& now() const { return tokens_.tokens[at_]; }
  const token& after() const {
    return tokens_.tokens[at_ + 1 < tokens_.tokens.size() ? at_ + 1 : at_];
  }
  bool is(std::string_view text) const { return is(now(), text); }
  static bool is(const token& t, std::string_view text) {
    return t.kind != token_kind::string && t.text == text;
  }
  bool accept(std::string_view text);
  void expect(std::string_view text, std::string_view where);
  const token& expect_name(std::string_view of_what);
  [[noreturn]] void unexpected(std::string_view wanted);
  [[noreturn]] void too_deep();
  void error(const token& at, const std::string& text) {
    report_.error(place_of(tokens_, at), text);
  }
  void note(const token& at, const std::string& text) { report_.note(place_of(tokens_, at), text); }
  position position_of(const token& t) const;

  // ---- declarations (declarations.cpp) ----
  void find_blocks();
  void block();
  void member();
  void slots();
  void inlet_head();
  void thread_head();
  void quantum_thread(index& of_block, const char* name);
  void skip_body(index owner, bool is_inlet);
  void skip_member();
  bool declare(const token& name, declared what, index at);
  index type_of_tokens();
  index frame_type();
  std::vector<index> types_in_parentheses();
  index name_index(std::string_view text);

  // ---- what waits for all declarations (bodies.cpp) ----
  void bodies();
  void inlet_tail(const body_tokens& of);
  void read_body(const body_tokens& of, body& code);
  void end_statement(const std::size_t first_instruction);
  void check_main();
  index block_named(const token& name);
  index thread_named(const token& name);
  const declaration* find(std::string_view name) const;

  // ---- statements (statements.cpp) ----
  void statement();
  void assignment();
  void effect();
  void fork_statement();
  void again_statement();
  void switch_statement();
  void send_statement();
  void structure_statement(opcode op);
  void print_statement(opcode op);
  void require_statement();
  std::vector<value> items();
  void fail_statement();
  void store(const token& name, value what);
  index thread_or_none();
  value falloc_value();
  void falloc_statement();
  void spawn_statement();
  void length_statement();
  index activated(instruction& made, std::vector<index>& taken);
  index answered(instruction& made, index type, const token& word);
  value alloc_value(opcode op);
  void place_of_activation(instruction& made);
  std::vector<value> arguments();
  void check_arguments(const token& at, const std::string& of, const std::vector<index>& wanted,
                       const std::vector<value>& given);
  index argument_list(const std::vector<value>& values);
  std::vector<index> parameter_types(const inlet& of) const;
  bool only_in_threads(const token& at);

  // ---- expressions (expressions.cpp) ----
  value expression(int precedence = 0);
  value infix(const token& mark, value left, value right);
  value prefix_expression();
  value postfix_expression();
  value primary();
  value named_value();
  value number();
  value call(const token& name);
  value operation_value(const token& at, form written, std::string_view name,
                        const std::vector<value>& operands);
  value convert(const token& at, value from, index to);

  value emit_value(instruction made, index type);
  instruction& emit(instruction made, const token& at);
  bool is_of_no_block(index type) const {
    return p_.types[type].is == kind::frame && p_.types[type].of == kNone;
  }
  kind kind_of_value(const value& v) const { return p_.types[v.type].is; }
  index simple(kind k) { return p_.type_index({k, kNone, {}}); }
  std::string said(index type) const { return spelling(p_, type); }

  const token_list& tokens_;
  frontend::messages& report_;
  program p_;
  std::size_t at_ = 0;
  int depth_ = 0;  // of nested expressions and types

  std::unordered_map<std::string_view, index> blocks_;
  std::unordered_map<std::string, index> name_indices_;
  std::unordered_map<std::string, index> string_indices_;
  std::vector<names> block_names_;  // of each code block
  std::vector<body_tokens> waiting_;
  std::vector<const token*> parameter_names_;  // of each parameter

  // The block and the body that are being read.
  index block_ = kNone;
  body* body_ = nullptr;
  bool in_inlet_ = false;
  bool is_quantum_thread_ = false;
  bool ended_ = false;  // stop was read
  std::unordered_map<std::string_view, index> temporaries_;  // by name, or $N
};

}  // namespace tl0

#endif
