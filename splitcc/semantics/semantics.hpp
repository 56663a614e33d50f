// SPDX-License-Identifier: Apache-2.0
// The meaning of what the parser has read: names to entities, types to expressions, implied
// conversions, constants. The parser calls one of these functions for each production; each
// returns a typed node, and for what is wrong reports it and returns a node of the error type.
// Every node is given its tokens: [first, last) and where errors point.
//
// The functions set node::translate: for names that the output calls otherwise, for everything
// that touches a global lvalue or a global or spread pointer in a way that C does not say by the
// same words, and for every node that has a child with it set.
#ifndef SPLITCC_SEMANTICS_SEMANTICS_HPP
#define SPLITCC_SEMANTICS_SEMANTICS_HPP

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "splitcc/lex/diagnostics.hpp"
#include "splitcc/lex/lexer.hpp"
#include "splitcc/semantics/types.hpp"
#include "splitcc/tree/node.hpp"

namespace splitcc {

struct assigned_as;                   // operands.hpp
enum class mismatch : std::uint8_t;

struct language_options {
  bool splitc = true;        // false: C alone (-x c): no marks, no library
  bool gnu89 = true;         // implicit int and functions without a word
  bool gnu89_inline = true;
  bool statement_blocks = true;  // if, switch, loops and what they govern are blocks: not in C90
  bool plain_char_is_unsigned = false;
  bool pedantic = false;
};

struct token_range {
  token_index first, last, at;
};

class semantics {
 public:
  semantics(arena& memory, identifier_table& identifiers, const token_list& tokens,
            diagnostics& report, language_options options);

  type_table& types() { return types_; }
  arena& memory() { return memory_; }

  // --- Scopes (scopes.cpp) ---
  void enter_scope();
  void leave_scope();
  std::uint32_t depth() const { return depth_; }
  // The scope of a prototype ends before the function's name is declared, and is that of the body
  // if one follows. So the first leaves the scope and appends to `kept` what it bound; the second
  // enters a scope with the same bindings.
  struct kept_name {
    identifier* name;
    entity* is;  // null: a tag
    const type* tagged;  // null: an ordinary name
  };
  void leave_scope(std::vector<kept_name>& kept);
  void enter_scope(std::span<const kept_name> kept);
  void enter_function(entity* function);  // its parameters are declared by the caller, in the
  void leave_function();  // scope that it has entered; checks the labels
  entity* function() const { return function_; }

  // The innermost meaning of a name; null if it has none.
  entity* look_up(const identifier* name) const;
  const type* look_up_tag(const identifier* name) const;  // any scope
  const type* look_up_tag_here(const identifier* name) const;  // this scope
  bool is_typedef_name(const token& t) const;
  void bind_tag(identifier* name, const type* t);

  // --- Declarations (declarations.cpp) ---
  // Declares an object, function or typedef name in this scope, merging with an earlier
  // declaration: linkage, composite types, tentative definitions, clashes.
  struct declaration_request {
    identifier* name;
    qualified_type type;
    token_index at;
    storage where;  // as written
    bool has_storage_class;  // written at all
    bool is_inline;
    std::string assembler_name;  // asm("..."), if any
    bool is_weak;
    std::uint32_t alignment_asked = 0;
    bool is_definition = false;  // of a function: its body follows
    bool is_thread = false;  // __thread, with or without static or extern in `where`
  };
  entity* declare(const declaration_request& wanted);
  // `char *malloc();` in a program whose headers declare malloc, as old programs have it: the
  // header's declaration stands, and this one says nothing.
  bool is_superfluous(const entity& e, qualified_type declared, token_index at) const;
  entity* declare_parameter(identifier* name, qualified_type type, token_index at);
  entity* declare_enumerator(identifier* name, __int128 value, const type* t, token_index at);
  // The initializer was read: completes the type of `int a[] = {...}`, converts, marks defined.
  // e->initializer is what became of it.
  void initialize(entity* e, node* initializer);
  // Between `#pragma splitc library begin` and `end`: declares entities of the library.
  void set_library(bool on) { in_library_ = on; }
  // Members have been read: lays out, checks for twins, binds nothing.
  void complete_record(type* record_type, std::vector<member> members, bool packed,
                       std::uint32_t alignment_asked, bool layout_is_known, token_index at);
  void complete_enumeration(type* t, std::span<entity* const> enumerators, bool packed);
  qualified_type adjust_parameter(qualified_type t);  // arrays, spread arrays, functions

  // --- Expressions (expressions.cpp, operators.cpp, references.cpp, calls.cpp) ---
  node* number(token_range r);
  node* character(token_range r);
  node* string(token_range r);  // all tokens of the range are literals
  // `called`: a `(` follows; an undeclared name becomes a function then.
  node* name(token_range r, identifier* name, bool called);
  node* parenthesized(token_range r, node* e);
  node* unary(token_range r, punctuator op, node* e);
  node* real_or_imaginary(token_range r, bool imaginary, node* e);
  node* postfix(token_range r, punctuator op, node* e);
  node* binary(token_range r, punctuator op, node* left, node* right);
  node* assignment(token_range r, punctuator op, node* left, node* right);
  node* conditional(token_range r, node* condition, node* then, node* otherwise);  // then: or null
  node* call(token_range r, node* function, std::span<node* const> arguments);
  node* index(token_range r, node* array, node* subscript);
  node* member_of(token_range r, node* object, identifier* name, bool arrow);
  node* cast(token_range r, written_type* to, node* e);
  node* compound_literal(token_range r, written_type* of, node* initializer);
  node* statement_expression(token_range r, node* compound);
  node* size_of_expression(token_range r, node* e, bool alignment);
  node* size_of_type(token_range r, written_type* of, bool alignment);
  struct generic_choice {
    written_type* type;  // null: default
    node* e;
    token_range r;
  };
  node* generic(token_range r, node* control, std::span<const generic_choice> choices);
  node* va_arg(token_range r, node* list, written_type* of);
  node* offset_of(token_range r, written_type* of, std::span<node* const> designators);
  node* choose(token_range r, node* condition, node* a, node* b);
  node* types_compatible(token_range r, written_type* a, written_type* b);
  node* convert_vector(token_range r, node* e, written_type* to);
  node* label_address(token_range r, label_target* target);
  node* type_as_argument(token_range r, written_type* of);

  // Initializers: `{...}` is read as a tree, then given its type and its conversions.
  node* initializer(token_range r, std::span<node* const> items);
  node* designation(token_range r, std::span<node* const> designators, node* value);
  node* designator_index(token_range r, node* first, node* last);  // last: or null
  node* designator_member(token_range r, identifier* name);
  // Types the initializer for an object of `t`; returns t, completed if it was `T[]`.
  qualified_type initialize_type(qualified_type t, node*& initializer, bool is_static);

  // --- Statements (statements.cpp) ---
  node* condition(node* e);  // of if, while, do, for: scalar; a wide pointer's truth
  node* switch_value(node* e);
  node* case_value(node* e);  // an integer constant expression; null is left null
  node* return_value(token_range r, node* e);  // the node of the statement; e: or null
  label_target* label(identifier* name, token_index at, bool defines);
  void declare_local_label(identifier* name, token_index at);
  // Any other node that only holds its children; sets `translate` from them.
  node* make(node_kind kind, token_range r, std::span<node* const> children);

  // --- Values (constants.cpp) ---
  // The value of an integer constant expression; reports `what` if it is not one.
  std::optional<__int128> constant_integer(node* e, std::string_view what);
  // The same in silence, where it need not be one: array bounds.
  std::optional<__int128> fold(const node* e) const;

  // As an rvalue: reads a global lvalue, decays arrays and functions.
  node* value_of(node* e);
  node* error_node(token_range r);

 private:
  // --- Nodes (nodes.cpp) ---
  // A node over `r` with these children; translate is set if a child has it set.
  node* new_node(node_kind kind, token_range r, std::initializer_list<node*> children = {});
  // Inserted over `e`: the same tokens, the conversion that C, or we, imply.
  node* new_conversion(node* e, conversion kind, qualified_type to);
  bool in_system_header(token_index at) const;
  std::string quoted(const identifier* name) const;  // 'name'
  std::string quoted(qualified_type t) const;  // 'int *global'

  // --- Scopes (scopes.cpp) ---
  void bind(identifier* name, entity* e);  // in this scope
  binding* binding_here(binding*& top, identifier* name, bool is_tag);
  void check_label(const label_target& l);
  void forget_labels();

  // --- Declarations (declarations.cpp, redeclarations.cpp, records.cpp) ---
  // gnu89: `extern int name();` for a call of a name that has no declaration in scope.
  entity* declare_implicit_function(identifier* name, token_index at);
  entity* new_entity(const declaration_request& wanted, entity_kind kind, linkage link);
  linkage linkage_of(const declaration_request& wanted, entity_kind kind) const;
  entity* earlier_for(const declaration_request& wanted, linkage link) const;
  entity* declare_in_library(const declaration_request& wanted, entity_kind kind, linkage link);
  entity* declare_beside_library(entity* library, const declaration_request& wanted,
                                 entity_kind kind, linkage link);
  bool agrees(const entity& earlier, const declaration_request& wanted, entity_kind kind,
              linkage link);
  bool kinds_agree(const entity& earlier, const declaration_request& wanted, entity_kind kind);
  bool asks_for_symbol(const declaration_request& wanted) const;
  static bool is_for_inlining_alone(const entity& function) {
    return function.is_inline && !function.has_symbol && function.link == linkage::external;
  }
  bool linkages_agree(const entity& earlier, const declaration_request& wanted, linkage link);
  bool types_agree(const entity& earlier, const declaration_request& wanted);
  void merge(entity& earlier, const declaration_request& wanted);
  void keep_header(const entity& header, const declaration_request& wanted);
  void note_earlier(const entity& earlier, std::string_view word = "declaration");
  void report_redefinition(const entity& e);
  void report_twins(const record& r);

  // --- Initializers (initializers.cpp, static_values.cpp) ---
  class initializing;
  void check_static_value(const node* e);

  // --- Operands (conversions.cpp) ---
  // A node of an expression; an rvalue of that type.
  node* new_expression(node_kind kind, token_range r, qualified_type t,
                       std::initializer_list<node*> children = {});
  // value_of() without the node that says that a local array or function decays.
  node* operand(node* e);
  const type* value_type(const node* e);  // of operand(e): decayed
  const type* pointer_to_block(const type* t);  // of a pointer to rows of blocks; others unchanged
  node* to_first_block(node* e);
  const type* int_type() const { return types_.basic(type_kind::int_); }
  const type* unknown_type() const { return types_.basic(type_kind::error); }
  const type* void_type() const { return types_.basic(type_kind::void_); }
  // A scalar that is tested: of a global or spread pointer, whether it is null.
  node* truth_of(node* e);
  bool is_null_constant(const node* e) const;  // a null pointer constant
  bool is_null(const node* e) const;  // one, or one that was cast
  // A pointer or a null pointer constant, with the view of `pointer`, if it has another one.
  node* with_view(node* e, const type* pointer);
  std::string text_of(const node* e) const;  // its tokens
  static token_range range_of(const node* e) { return {e->first, e->last, e->at}; }
  // An operand that has no value, or one that cannot be used; reported.
  bool has_value(const node* e);

  // --- As if by assignment (assignable.cpp) ---
  node* convert_for(node* e, qualified_type to, const assigned_as& use);
  node* assign_pointer(node* e, const type* from, const type* to, const assigned_as& use);
  void check_pointees(const node* e, const type* from, const type* to, const assigned_as& use);
  void check_processor_kept(const node* e, const type* from, const assigned_as& use);
  std::string words_for(mismatch m, const type* from, const type* to, const assigned_as& use,
                        std::string_view qualifiers = {}) const;
  void report_mismatch(mismatch m, const node* e, const type* from, const type* to,
                       const assigned_as& use, std::string_view qualifiers = {});

  // --- Constants and strings (numbers.cpp, literals.cpp) ---
  node* integer(token_range r, __int128 value, type_kind kind);
  node* floating(token_range r, std::string_view text);
  const type* string_type(type_kind unit, std::uint64_t count);

  // --- Names (names.cpp, builtins.cpp) ---
  entity* undeclared(token_range r, identifier* name, bool called);
  void report_undeclared(token_index at, const identifier* name);
  bool is_of_library_only(const identifier* name) const;
  void note_header(token_index at, const identifier* name);
  entity* function_name(identifier* name, token_index at);
  entity* builtin_named(identifier* name);  // null: no __builtin_, __sync_ or __atomic_ name
  const type* library_function_type(const identifier* name);  // of C's library; null: unknown

  // --- References (references.cpp, members.cpp) ---
  node* dereference(token_range r, node* e);
  node* address_of(token_range r, node* e);
  bool has_address(const node* e);
  node* new_reference(node_kind kind, token_range r, const type* pointer, qualified_type t,
                      std::initializer_list<node*> children);
  node* element_of_vector(token_range r, node* vector, node* subscript);
  node* index_spread(token_range r, node* array, node* subscript);
  bool is_subscript(const node* subscript);
  const record* record_of(const node* object, const identifier* name, bool arrow);

  // --- Operators (operators.cpp, pointer_operators.cpp, vectors.cpp) ---
  struct operands {
    node *left, *right;
    const type *left_type, *right_type;  // decayed
  };
  node* new_binary(token_range r, punctuator op, const type* t, const operands& both);
  const type* arithmetic_type(const operands& both);  // usual arithmetic conversions
  node* sign_or_complement(token_range r, punctuator op, node* e);
  node* logical_not(token_range r, node* e);
  node* comma(token_range r, node* left, node* right);
  node* invalid_operands(token_range r, punctuator op, const operands& both);
  node* multiplicative_or_bitwise(token_range r, punctuator op, const operands& both);
  node* shift(token_range r, punctuator op, const operands& both);
  node* additive(token_range r, punctuator op, const operands& both);
  node* pointer_step(token_range r, punctuator op, const operands& both);
  node* pointer_difference(token_range r, punctuator op, operands both);
  bool has_size(const node* e, const type* pointer);  // what it points to; reported
  node* comparison(token_range r, punctuator op, const operands& both);
  node* pointer_comparison(token_range r, punctuator op, operands both);
  void check_compared(token_range r, const operands& both, bool for_order);
  bool to_common_view(operands& both);  // whether it is global or spread
  const type* vector_type(punctuator op, const operands& both);  // null: they do not go together
  bool is_element(const node* e, const type* number, const type* element) const;
  const type* signed_vector(const type* vector);

  // --- Assignments (assignments.cpp, split_phase.cpp) ---
  node* step(node_kind kind, token_range r, punctuator op, node* e);  // ++ and --, both places
  bool is_assignable(token_range r, const node* left, std::string_view verb);
  void report_read_only(token_index at, const node* left, std::string_view verb);
  node* simple_assignment(token_range r, node* left, node* right);
  node* compound_assignment(token_range r, punctuator op, node* left, node* right);
  bool is_odd_pointer_step(token_range r, punctuator op, const operands& both);
  node* split_phase_assignment(token_range r, punctuator op, node* left, node* right);
  bool is_get(node* left, node* right);  // the bits arrive in the local object later

  // --- Conditionals, casts, selections (conditionals.cpp, casts.cpp, generic.cpp) ---
  const type* conditional_type(token_range r, operands& both);
  const type* conditional_pointers(token_range r, operands& both);
  const type* conditional_mixed(token_range r, operands& both);  // one is not a pointer
  bool is_castable(token_range r, const node* e, const type* from, const type* to);
  bool is_castable_to_aggregate(token_range r, const type* from, const type* to);
  conversion conversion_of_cast(token_range r, const node* e, const type* from, const type* to);
  bool is_measurable(token_index at, const type* t, bool alignment);
  void take_over(node* selection, const node* chosen);  // its type, value, place

  // --- Calls (calls.cpp, library_calls.cpp, builtin_calls.cpp) ---
  node* new_call(token_range r, qualified_type t, node* f, std::span<node* const> arguments);
  bool is_count_right(token_range r, const node* f, const type* t, std::size_t count);
  node* passed(node* argument, const type* f, const node* name, std::size_t position);
  node* default_promoted(node* argument);
  node* call_of_library(token_range r, node* f, std::span<node* const> arguments);
  node* to_local_call(token_range r, node* f, std::span<node* const> arguments);
  node* to_global_call(token_range r, node* f, std::span<node* const> arguments);
  node* atomic_call(token_range r, node* f, std::span<node* const> arguments);
  node* call_of_builtin(token_range r, node* f, std::span<node* const> arguments);
  void check_atomic_operand(const node* f, const node* operand);
  const type* builtin_result(const entity& e, std::span<node* const> arguments);
  const type* read_signature(std::string_view& signature);
  const type* function_by_signature(std::string_view signature);
  const type* mathematical_type(std::string_view name);

  arena& memory_;
  identifier_table& identifiers_;
  const token_list& tokens_;
  diagnostics& report_;
  language_options options_;
  type_table types_;
  std::uint32_t depth_ = 0;
  entity* function_ = nullptr;
  bool in_library_ = false;

  // What leaving a scope takes back: the names bound in it, from scope_starts_.back() on.
  struct bound_name {
    identifier* name;
    bool is_tag;
  };
  std::vector<bound_name> bound_;
  std::vector<std::size_t> scope_starts_;
  binding* free_bindings_ = nullptr;  // by `outer`
  // All objects and functions with external linkage, those of scopes that were left included.
  std::unordered_map<const identifier*, entity*> externals_;
  bool header_is_noted_ = false;
  std::unordered_set<const identifier*> undeclared_;  // reported in undeclared_in_
  const entity* undeclared_in_ = nullptr;
  std::unordered_map<const identifier*, entity*> builtins_;
  std::vector<const member*> member_path_;  // used again for each `.` and `->`
  std::vector<node*> call_children_;  // used again for each call
  static constexpr std::size_t kKeptStringTypes = 256;
  std::vector<const type*> string_types_;  // arrays of char, by count
  // Labels of the function, in the order of their first mention, and by name; __label__ declares
  // one of a block (of that depth).
  struct block_label {
    label_target* target;
    std::uint32_t depth;
  };
  std::vector<label_target*> labels_;
  std::unordered_map<const identifier*, label_target*> labels_by_name_;
  std::vector<block_label> block_labels_;
};

}  // namespace splitcc

#endif
