// SPDX-License-Identifier: Apache-2.0
// The class behind emit(): one unit's output. What C says by the same words is written token by
// token; the rest piece by piece, children first to last. In files by concept.
//
// A global lvalue is written by its address, a splitc_bits, and what is done with it: read,
// written, begun to be got. Text that the emitter makes is an operand by itself: a call, or in
// parentheses.
#ifndef SPLITCC_EMIT_EMISSION_HPP
#define SPLITCC_EMIT_EMISSION_HPP

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "languages/splitc/compiler/emit/emitter.hpp"
#include "languages/splitc/compiler/emit/writer.hpp"
#include "languages/splitc/compiler/semantics/types.hpp"

namespace splitcc {

// How tightly an expression binds, from the loosest on.
enum class binding_power : std::uint8_t {
  comma,
  assignment,
  conditional,
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equality,
  relational,
  shift,
  additive,
  multiplicative,
  cast,
  unary,
  postfix,
  primary,
};

class emission {
 public:
  emission(const token_list& tokens, const emit_options& options)
      : tokens_(tokens), options_(options), out_(tokens, options.line_marks) {}
  std::string unit(const node& unit);

 private:
  using power = binding_power;

  // --- The unit (unit.cpp) ---
  void survey(const node& external);
  void external(const node* n);
  void tag_records();
  std::string head() const;
  void look_for_early_calls(const node& external);  // early_calls.cpp
  void declare_ahead(const entity& function);
  std::string plain_declaration(const entity& function);
  // The function for an access: "read_i4" and the like.
  std::string access_call(std::string_view what) const {
    return (options_.check ? "splitc_checked_" : "splitc_") + std::string(what);
  }
  std::string word_call(std::string_view what, const node* lvalue, std::string_view suffix) const;
  std::string new_name() { return "splitc_t_" + std::to_string(++names_); }

  // --- Types in C (types.cpp) ---
  // Where a type as it was written in specifiers stands in for the type itself.
  struct spelled {
    qualified_type type;
    std::string text;
  };
  std::string type_name(qualified_type t) { return declared(t, {}); }
  std::string declared(qualified_type t, std::string inner, const spelled* base = nullptr);
  std::string declared_base(qualified_type t, const spelled* base);
  std::string declared_array(const type* t, std::string inner);
  std::string parameters(const type* function, bool names_only);
  std::string record_name(const record* r, bool is_union);
  std::string pointer_name(reach view, qualified_type target);
  std::string pointee_words(qualified_type t);
  std::string size_of_type(qualified_type t);
  std::string bound(const node* n);
  void written(const written_type& w);
  void defined_and_named(const written_type& w);

  // --- Declarations (declarations.cpp, specifiers.cpp, spread_arrays.cpp) ---
  struct specifier_text {
    std::string storage;  // static, inline, attributes and the like
    spelled base;
  };
  void declaration(const node* n);
  bool stays_as_written(const declaration_info& d) const;
  static bool keeps_bounds(const declarator_info& d);
  bool fits_one_declaration(const declaration_info& d) const;
  bool declarator_translates(const declarator_info& d) const;
  void split_declaration(const declaration_info& d);
  void one_declarator(const declarator_info& d, const specifier_text& specifiers);
  void initialized(const declarator_info& d);
  void specifiers_as_written(const declaration_info& d);
  specifier_text specifiers_apart(const declaration_info& d);
  void definition(const node* n);
  void definitions_apart(const declaration_info& d);
  void definition_apart(const node* r);
  void members(const declaration_info& d);
  void enumerators(const declaration_info& d);
  void function(const node* n);
  void function_head(const node* n, const declaration_info& d, const specifier_text& specifiers);
  // extern_inline.cpp
  void survey_inline(const node& n, const declarator_info& d);
  bool has_specifier(const declaration_info& d, keyword word) const;
  void find_copies(const node& unit);
  bool is_copied(const node* definition) const;
  void declare_copies(const node& external);
  void specifiers_of_copy(const declaration_info& d);
  static constexpr std::string_view kWordsOfCopy = "static inline";
  void spread_array(const declarator_info& d, const specifier_text& specifiers);
  void automatic_spread_array(const declarator_info& d);
  void keep_bounds(const type* t);
  void keep_bound(const node* n);
  void keep_parameter_bounds(const type* function);
  std::string blocks(const type* spread_array);
  void starts();

  // --- Lengths that are set after the declaration (late_bounds.cpp) ---
  void look_for_late_bounds(const node* function);
  void find_late(const node* n, std::set<const entity*>& unset);
  bool mark_late(const node* n);
  std::string late_name(const entity& e);

  // --- Statements (statements.cpp) ---
  void statement(const node* n);
  void compound(const node* n, const type* entered = nullptr);
  void body(const node* n);
  void condition(const node* e);
  void if_statement(const node* n);
  void for_statement(const node* n);
  void labelled(const node* n);
  void with_children(const node* n);
  void made(const node* n);

  // --- Expressions (expressions.cpp, operands.cpp) ---
  bool is_verbatim(const node* n) const {
    return !n->translate && n->first != kNoToken &&
           (n->kind != node_kind::name || !hoisted_.contains(n->referred)) &&
           (forced_.empty() || !forced_.contains(n));
  }
  void expression(const node* n, power least = power::comma);
  void effect(const node* n);  // its value is not used
  void structure(const node* n);
  power power_of(const node* n) const;
  void enclosed(std::string_view before, const node* e, std::string_view after,
                power least = power::comma);
  void name(const node* n);
  void made_number(const node* n);
  void binary(const node* n);
  void unary(const node* n);
  void conditional(const node* n);
  void call(const node* n);
  void arguments(std::span<node* const> list);
  void cast(const node* n);
  void operand(const node* n);
  void sizeof_operator(const node* n);
  void offset_of(const node* n);
  void initializer(const node* n);
  void designation(const node* n);
  void statement_expression(const node* n);
  void atomic_call(const node* n);
  std::string thunk_for(const node* n);
  std::string from_word(qualified_type t, const std::string& word);

  // --- Global and spread pointers (conversions.cpp, pointers.cpp) ---
  void converted(const node* n);
  void conversion_to(const node* e, conversion kind, qualified_type to);
  void truth(const node* e);
  void compare(const node* n);
  void step(const node* pointer, const node* number, bool backwards);
  void step_by(std::string_view pointer, const node* number, bool backwards,
               const type* pointer_type);
  void element_number(const node* number, const type* pointer_type);
  std::string element_bytes(const type* pointer_type);
  void difference(const node* n);
  void advance_local(const node* lvalue, const node* number, bool backwards, bool gives_old,
                     bool is_used);

  // --- Global lvalues (references.cpp, accesses.cpp, fields.cpp) ---
  void address(const node* lvalue);
  void element_address(const node* n);
  void block_address(const node* n);
  static const node* base_of_rows(const node* rows);
  void row_number(const node* rows, const node* base);
  void member_address(const node* n);
  void member_offset(qualified_type object, const member* m);
  using writes = std::function<void()>;
  void read(const node* lvalue);
  void read_from(const node* lvalue, const writes& at);
  void as_word(const type* t, const writes& value);
  void write_variable(const node* lvalue, const std::string& at, const std::string& value);
  void object_address(const node* n);
  void read_field(const node* lvalue);
  void read_field_at(const node* lvalue, const writes& object);
  void write_field(const node* lvalue, const std::string& object, const writes& value);

  // --- Assignments (assignments.cpp, split_phase.cpp) ---
  void assignment(const node* n, bool is_used);
  void access_address(const node* lvalue);
  void assign_global(const node* n, bool is_used);
  void result(const node* lvalue, const std::string& at, const std::string& value, bool is_used);
  void change_global(const node* lvalue, const node* by, punctuator op, bool gives_old,
                     bool is_used);
  void change(const node* n, bool gives_old, bool is_used);
  void split_phase(const node* n);
  void get(const node* left, const node* source, bool is_followed);
  void send(const node* left, const node* right, const std::string& call);

  const token_list& tokens_;
  const emit_options& options_;
  writer out_;
  int names_ = 0;
  std::set<const node*> values_;  // statements whose value is that of a statement expression
  // Variables that have the bounds' values, where they are in scope.
  using bounds_in_scope = std::unordered_map<const node*, std::string>;
  bounds_in_scope kept_bounds_;
  std::unordered_map<const record*, std::string> record_names_;
  std::set<std::string> pointer_names_;
  std::string ahead_;  // declarations of functions that are called before theirs
  std::string main_;  // the declaration of `main` under the name that the linker sees
  struct placed_array {
    const entity* array;
    std::string name;
  };
  std::vector<placed_array> placed_;
  std::set<const entity*> placed_entities_;
  std::set<const entity*> late_;  // local pointers to arrays with lengths of late_lengths_
  std::set<const node*> late_lengths_;  // that are taken at each use
  std::unordered_set<const node*> forced_;  // written by their parts for the sake of those
  std::unordered_map<const entity*, std::string> hoisted_;  // static spread arrays of blocks
  struct function_facts {
    int definitions = 0;
    const entity* for_inlining = nullptr;  // of an `extern inline` definition of gnu89
    bool is_declared_ahead = false;
    // Another declaration makes it a symbol of the unit, or renames it by asm("...").
    bool is_changed = false;

    bool is_copied() const { return for_inlining && definitions == 1 && !is_changed; }
  };
  std::unordered_map<const identifier*, function_facts> functions_;
  std::vector<const entity*> copies_;  // that are declared before they are defined
  bool in_record_ = false;  // members are being written
};

// The letter and bytes of the access functions for a word: "i4". None for what is copied in bulk.
std::optional<std::string_view> word_suffix(const type* t);
bool is_plain_word(const type* t);  // what the function for it gives is of that type already

}  // namespace splitcc

#endif
