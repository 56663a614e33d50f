// SPDX-License-Identifier: Apache-2.0
// The class behind parse(). One member function for each production, in files by concept; the
// production stands above the function. Where the input is not a sentence of the language, fail()
// reports what was expected and throws syntax_error; it is caught where a list of statements,
// declarations, members or initializers can go on.
#ifndef SPLITCC_PARSE_GRAMMAR_HPP
#define SPLITCC_PARSE_GRAMMAR_HPP

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "languages/splitc/compiler/parse/parts.hpp"

namespace splitcc {

struct syntax_error {};   // reported; go on at the next statement or declaration
struct nesting_error {};  // reported; the rest is not read

class parser {
 public:
  parser(const token_list& tokens, semantics& meaning, diagnostics& report,
         identifier_table& identifiers, const language_options& options);
  node* translation_unit();

 private:
  // A level of brackets, statements or operators. 8 MB of stack hold kNestingMax levels.
  static constexpr int kNestingMax = 2000;
  // Operators in a row, `else if` and the like: no level of nesting here, but one of the tree.
  static constexpr int kChainMax = 10000;
  class nesting {
   public:
    explicit nesting(parser& p) : p_(p) {
      if (p_.nesting_ >= kNestingMax) p_.nested_too_deeply();
      ++p_.nesting_;
    }
    ~nesting() { --p_.nesting_; }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;

   private:
    parser& p_;
  };
  // A block or prototype scope.
  class scope {
   public:
    explicit scope(parser& p) : p_(p), sized_(p.sized_) { p_.meaning_.scopes.enter(); }
    scope(parser& p, std::span<const kept_name> kept) : p_(p), sized_(p.sized_) {
      p_.meaning_.scopes.enter(kept);
    }
    ~scope() {
      try {
        leave();
      } catch (const too_many_errors&) {  // thrown again at the next error
      }
    }
    void leave() {
      p_.sized_ = sized_;
      if (std::exchange(entered_, false)) p_.meaning_.leave_scope();
    }
    void leave(std::vector<kept_name>& kept) {
      p_.meaning_.leave_scope(kept);
      entered_ = false;
    }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

   private:
    parser& p_;
    int sized_;
    bool entered_ = true;
  };
  // Of what C99 makes a block without braces: selections, loops, and what they govern.
  class statement_scope {
   public:
    explicit statement_scope(parser& p) {
      if (p.options_.statement_blocks) block_.emplace(p);
    }

   private:
    std::optional<scope> block_;
  };
  // One in the other, without a level of nesting for each.
  class statement_scopes {
   public:
    explicit statement_scopes(parser& p) : p_(p) {}
    ~statement_scopes() {
      while (!blocks_.empty()) blocks_.pop_back();
    }
    void enter() { blocks_.emplace_back(p_); }
    statement_scopes(const statement_scopes&) = delete;
    statement_scopes& operator=(const statement_scopes&) = delete;

   private:
    parser& p_;
    std::deque<statement_scope> blocks_;
  };
  // Nodes to become children, on a stack that all lists share.
  class node_list {
   public:
    explicit node_list(parser& p) : stack_(p.stack_), first_(stack_.size()) {}
    ~node_list() { stack_.resize(first_); }
    void add(node* n) { stack_.push_back(n); }
    std::span<node* const> all() const { return std::span(stack_).subspan(first_); }
    node_list(const node_list&) = delete;
    node_list& operator=(const node_list&) = delete;

   private:
    std::vector<node*>& stack_;
    std::size_t first_;
  };

  void declare_type(identifier* name, type_kind kind);

  // What a statement changes and a syntax error leaves behind.
  struct state {
    std::size_t derivations, pointers, function_parts, open_records, cases;
    token_index default_at;
    int switch_sized;
    bool in_switch, in_loop;
  };
  state save() const;
  void restore(const state& saved);
  // False if `read` threw syntax_error; then everything but the place in the input is as before.
  template <class Read>
  bool attempt(Read&& read) {
    const state saved = save();
    try {
      read();
      return true;
    } catch (const syntax_error&) {
      restore(saved);
      return false;
    }
  }

  // --- Tokens (parser.cpp) ---
  const token& now() const { return tokens_[at_]; }
  const token& behind(token_index n) const { return tokens_[at_ + n < end_ ? at_ + n : end_]; }
  bool at(punctuator p) const { return now().mark == p; }
  bool at(keyword k) const { return now().word == k; }
  bool at_end() const { return at_ == end_; }
  void advance() {
    if (at_ < end_ && tokens_[++at_].pragma_before) pragmas();
  }
  template <class Mark>
  bool accept(Mark m) {
    if (!at(m)) return false;
    advance();
    return true;
  }
  void expect(punctuator p);
  void end_of_block(token_index opened);
  void expect(keyword k);
  void expect_semicolon(std::string_view expected = "';'");
  token_range from(token_index first) const { return {first, at_, first}; }
  token_range from(token_index first, token_index where) const { return {first, at_, where}; }
  bool is_typedef_name(const token& t) const {
    return t.kind == token_kind::identifier && t.name->ordinary && t.name->ordinary->is &&
           t.name->ordinary->is->kind == entity_kind::typedef_name;
  }
  bool starts_type(const token& t) const;         // of a type name
  bool starts_declaration(const token& t) const;  // specifiers with a word of their own
  token_index extensions() const;  // how many `__extension__` stand here
  bool at_declaration() const;     // which they may precede

  // --- Errors (recovery.cpp) ---
  [[noreturn]] void fail(std::string_view expected);  // "expected ... before ..."
  [[noreturn]] void fail_with(token_index where, std::string_view text);
  [[noreturn]] void nested_too_deeply();
  void check_chain(int links);
  bool error(token_index where, std::string_view text);  // whether it was reported
  std::string expected_text(std::string_view expected) const;
  void report_here(std::string_view text);
  void skip_balanced();    // from an opening bracket past the closing one
  void skip_statement();   // past the next `;`, or to the `}` of this block
  void skip_declaration();  // past the next `;` or block, at file scope
  void skip_to_closing(punctuator closing);

  // --- Pragmas (pragmas.cpp) ---
  void pragmas();
  void pragma(std::string_view line);
  void pragma_pack(std::string_view words);

  // --- Declarations (declarations.cpp, functions.cpp) ---
  node* external_declaration();
  node* declaration();
  node* declaration_of(bool at_file);
  void init_declarator(const specifier_parts& s, declarator_parts& d, declaration_info* info);
  void auto_type_declarator(const specifier_parts& s, declarator_parts& d, declaration_info* info);
  entity* declare(const specifier_parts& s, const declarator_parts& d, qualified_type type,
                  bool is_definition);
  void warn_of_implicit_int(const declarator_parts& d);
  void check_declared(const specifier_parts& s, const declarator_parts& d, qualified_type type);
  bool check_initialized(const specifier_parts& s, const declarator_parts& d, qualified_type type);
  void check_complete(const specifier_parts& s, const entity& e, const declarator_parts& d);
  declarator_info& add_declarator(declaration_info* info, const specifier_parts& s,
                                  const declarator_parts& d, entity* e, qualified_type type);
  declaration_info* new_declaration(const specifier_parts& s);
  node* finish_declaration(declaration_info* info, token_index first);
  node* static_assertion();
  node* file_assembler();
  bool starts_body(const declarator_parts& d) const;
  node* function_definition(specifier_parts& s, declarator_parts& d, declaration_info* info,
                            token_index first);
  void kr_declarations(function_part& part, node_list& children);
  node* kr_declaration(function_part& part);
  void kr_declarator(const specifier_parts& s, function_part& part, declaration_info* info);
  bool was_declared_void(const declarator_parts& d) const;
  void check_definition(const type& function, const declarator_parts& d);
  node* function_body(entity* function, function_part& part);
  node* refuse_nested_function(const declarator_parts& d, token_index first);

  // --- Specifiers (specifiers.cpp, type_words.cpp) ---
  void specifiers(specifier_parts& s);
  bool specifier(specifier_parts& s, type_words& words);
  bool specifier_keyword(specifier_parts& s, type_words& words);
  bool storage_word(specifier_parts& s);
  bool storage_class(specifier_parts& s, storage where);
  bool type_word(type_words& words);
  void set_type(specifier_parts& s, type_words& words, qualified_type t);
  const type* type_of_words(const type_words& words, token_index where);
  void finish_specifiers(specifier_parts& s, const type_words& words);
  bool unknown_type_name() const;
  std::string no_such_type() const;
  void tag_specifier(specifier_parts& s, type_words& words);
  void atomic_specifier(specifier_parts& s, type_words& words);
  void typeof_specifier(specifier_parts& s, type_words& words);
  void alignas_specifier(specifier_parts& s);
  std::uint32_t constant_alignment(specifier_parts& s);
  written_type* type_name();
  qualified_type inner_type(specifier_parts& s);
  qualified_type qualified(qualified_type t, std::uint8_t qualifiers);

  // --- Attributes (attributes.cpp) ---
  bool at_attributes(token_index n = 0) const;  // behind n tokens
  token_index attributes_length(token_index from = 0) const;  // in tokens, behind as many
  void attributes(attribute_set& into);
  void attribute(attribute_set& into);
  void mode_attribute(attribute_set& into);
  std::uint64_t attribute_number(std::uint64_t otherwise);
  void suffix(declarator_parts& d);  // asm label, attributes
  std::string assembler_label();
  qualified_type with_attributes(qualified_type t, const attribute_set& a, bool is_typedef);
  qualified_type with_vector(qualified_type t, std::uint64_t bytes);
  const type* with_mode(const type* t, const attribute_set& a);

  // --- Records and enumerations (records.cpp, enumerations.cpp) ---
  qualified_type record_specifier(specifier_parts& s);
  type* record_of_tag(bool is_union, identifier* tag, token_index where, bool defines);
  void refuse_tag(const type& known, bool same_word, token_index where);
  bool is_open(const record* r) const;
  node* record_body(type* t, token_index first, attribute_set a);
  void member_declaration(record_parts& r);
  void member_declarator(const specifier_parts& s, record_parts& r, declaration_info* info);
  void anonymous_member(const specifier_parts& s, record_parts& r);
  void bit_field_width(member& m, node* width);
  void check_member(member& m);
  void check_members(const std::vector<member>& members, bool is_union);
  qualified_type enumeration_specifier(specifier_parts& s);
  type* enumeration_of_tag(identifier* tag, token_index where, bool defines);
  node* enumeration_body(type* t, token_index first, attribute_set a);
  entity* enumerator(const entity* before, bool& translate);

  // --- Declarators (declarators.cpp, parameters.cpp, derive.cpp) ---
  void declarator(declarator_parts& d, naming names);
  void declarator_level(declarator_parts& d, naming names);
  void pointers(declarator_parts& d, naming names);
  void pointer_qualifiers(derivation& p, declarator_parts& d, naming names);
  bool is_reach_word(naming names) const;
  void refuse_misplaced_reach();
  void direct_declarator(declarator_parts& d, naming names);
  bool is_nested_declarator(naming names) const;
  void declarator_suffixes(declarator_parts& d);
  void spread_mark(std::size_t first, bool again);
  void array_suffix(declarator_parts& d);
  void array_bound(derivation& a, declarator_parts& d);
  void function_suffix(declarator_parts& d);
  void parameter_list(function_part& part, declarator_parts& d);
  void identifier_list(function_part& part);
  bool parameter_declaration(function_part& part, declarator_parts& d);
  qualified_type adjusted(qualified_type t, const declarator_parts& d);
  void add_parameter(function_part& part, const declarator_parts& d, qualified_type type);
  function_part* new_function_part();
  qualified_type derive(const declarator_parts& d, qualified_type base);
  qualified_type derive_pointer(const derivation& step, qualified_type t);
  qualified_type derive_array(const derivation& step, qualified_type t, const declarator_parts& d);
  qualified_type derive_spread(std::span<const derivation> bounds, qualified_type t,
                               const declarator_parts& d);
  qualified_type derive_function(const derivation& step, qualified_type t,
                                 const declarator_parts& d);
  qualified_type error_type() { return {meaning_.types().basic(type_kind::error), 0}; }
  qualified_type void_type() { return {meaning_.types().basic(type_kind::void_), 0}; }

  // --- Initializers (initializers.cpp) ---
  node* initializer();
  node* braced_initializer();
  node* initializer_item();
  node* designation();
  node* index_designator();

  // --- Expressions (expressions.cpp, unary.cpp, primary.cpp) ---
  node* expression();
  node* assignment_expression();
  node* conditional_expression();
  node* conditional_rest(node* condition, token_index first);
  node* binary_expression();
  node* binary_rest(node* left, token_index first, int least);
  node* cast_expression();
  node* cast_or_literal();
  node* unary_expression();
  node* unary_operator();
  node* unary_keyword();
  node* sizeof_expression(bool alignment);
  node* postfix_expression();
  node* postfix_rest(node* e, token_index first);
  node* call_rest(node* f, token_index first);
  node* argument(bool types_too);
  node* primary_expression();
  node* identifier_expression();
  node* keyword_expression();
  node* string_literal();
  node* parenthesized_expression();
  node* statement_expression(token_index first);
  node* generic_selection();
  node* va_arg_expression();
  node* offset_of_expression();
  node* offset_member();
  node* choose_expression();
  node* types_compatible_expression();
  node* convert_vector_expression();

  // --- Statements (statements.cpp, labels.cpp, assembler.cpp) ---
  node* compound_statement();
  void block_items(node_list& items);
  node* block_item();
  node* statement();
  node* statement_keyword(keyword k);
  node* expression_statement();
  node* discarded(node* e);
  node* if_statement();
  node* switch_statement();
  node* while_statement();
  node* do_statement();
  node* for_statement();
  void for_header(node_list& children);
  node* governed_statement();
  node* loop_body();
  node* goto_statement();
  node* jump_statement(node_kind kind, bool allowed);
  node* return_statement();
  node* parenthesized_condition();
  node* attribute_statement();
  bool starts_label() const;
  node* labeled_statement(bool in_block);
  node* case_statement(bool in_block);
  node* default_statement(bool in_block);
  node* after_label(bool in_block);
  void expect_colon();
  void check_cases(std::size_t first, const type* t);
  node* local_labels();

  // --- Jumps (jumps.cpp) ---
  void note_sized(const entity& e);
  void note_jump(const label_target* to, bool defines);
  bool is_within(int inner, int outer) const;
  void check_jumps();
  void check_case_jump();
  node* assembler_statement();
  void assembler_sections(node_list& operands);
  void assembler_section(int section, node_list& operands);
  void assembler_operand(bool is_output, node_list& operands);
  void assembler_strings();

  const token* tokens_;
  token_index at_ = 0;
  token_index end_;  // the last token's index
  const token_list& unit_;
  semantics& meaning_;
  diagnostics& report_;
  language_options options_;
  identifier* global_word_;
  identifier* spread_word_;

  int nesting_ = 0;
  token_index last_error_ = kNoToken;
  std::vector<node*> stack_;
  std::vector<derivation> derivations_;
  std::vector<derivation> pointers_;  // of declarators whose names are not read yet
  std::deque<function_part> function_parts_;  // the first function_parts_used_ are in use
  std::size_t function_parts_used_ = 0;
  std::vector<const record*> open_records_;  // being defined, the outer ones first
  std::vector<std::uint32_t> packs_;         // #pragma pack(push)
  std::uint32_t pack_ = 0;

  // Declarations in blocks of objects whose size the running program sets: no jump may lead past
  // one into its scope.
  struct sized_declaration {
    token_index at;
    int outer;  // index of the one that was in scope here; -1: none
  };
  struct jump_end {
    const label_target* label;
    token_index at;
    int sized;
    bool defines;
  };
  std::vector<sized_declaration> sized_declarations_;  // of the function
  std::vector<jump_end> jump_ends_;                    // of the function: labels, gotos
  int sized_ = -1;         // the innermost in scope here
  int switch_sized_ = -1;  // at the switch around

  // Of the function that is being read.
  struct case_range {
    __int128 first, last;
    token_index at;
  };
  std::vector<case_range> cases_;  // of the switches around, the outer ones first
  token_index default_at_ = kNoToken;  // of the innermost switch
  bool in_switch_ = false;
  bool in_loop_ = false;
};

}  // namespace splitcc

#endif
