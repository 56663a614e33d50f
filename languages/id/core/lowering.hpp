// SPDX-License-Identifier: Apache-2.0
// From the typed tree to the kernel language. Functions get what they capture as parameters ahead
// of their own; loops and comprehensions become functions that get what they turn out to need.
#ifndef IDC_CORE_LOWERING_HPP
#define IDC_CORE_LOWERING_HPP

#include <functional>
#include <unordered_map>

#include "languages/id/core/core.hpp"
#include "languages/id/infer/types.hpp"

namespace idc::core {

// What a function of the tree becomes, or a constructor or builtin as a function.
struct draft {
  // What this one uses, in order: another draft, or a loop inside this one, named by its number.
  struct use {
    draft* of = nullptr;
    std::unique_ptr<function> loop;
    const function* around = nullptr;
    std::string_view kind;
    position where;  // source position of the use
  };
  std::unique_ptr<function> made;  // until it is in the program
  function* known = nullptr;       // the same, and valid after that
  const idc::function* from = nullptr;
  bool is_builtin = false;  // its position is that of its first use
  std::vector<use> uses;
  std::vector<std::string> texts;  // string numbers in `made` index these
};

class lowering {
 public:
  // Lowers f, and all that it needs.
  void run(const idc::function& f);
  // Assembles main's program. Functions are numbered by their first use; of
  // those numbered, the last is looked through first for further uses.
  program finish(const idc::function& main);

 private:
  // A function that is being made, inside of the one around it.
  struct builder {
    function* made = nullptr;
    region* now = nullptr;
    builder* around = nullptr;  // loops: whose variables they may need
    std::unordered_map<const variable*, slot> slots;
    std::vector<const variable*> needed;  // loops: what they got from around, in order
    std::vector<std::pair<slot, slot>> kept;  // loops: slots of around, and what has them here
    std::vector<std::pair<region*, std::size_t>> self_calls;
  };
  // Where a value goes: into a slot, or out of the function as its result.
  struct target {
    slot to = kNoSlot;  // kNoSlot: it is the result
    bool is_result() const { return to == kNoSlot; }
  };
  using action = std::function<void()>;

  // functions.cpp
  static std::unique_ptr<function> make_function(std::string name, position where);
  static void begin(draft& d, std::string name, position where);
  // The draft of that key in `in`. `begin` begins it at its first use.
  template <class K, class F>
  static draft* find(std::unordered_map<K, draft>& in, const K& key, const F& begin) {
    const auto [found, is_new] = in.try_emplace(key);
    if (is_new) begin(found->second);
    return &found->second;
  }
  function* of(const idc::function& f);
  void lower_body(draft& to);
  void number(program& to, std::unique_ptr<function> made);
  void number_used(program& to, draft& by);
  function* of_constructor(const constructor& c);
  function* of_builtin(const expression& e);
  void lower_clauses(const std::vector<clause*>& clauses, std::size_t from, const slot_list& values,
                     target to, position where);

  // bindings
  slot fresh(std::string_view name = "") { return fresh(name, *b_); }
  slot slot_of(const variable& v) { return slot_of(v, *b_); }
  static slot slot_of(const variable& v, builder& in);
  static slot fresh(std::string_view name, builder& in);
  binding& emit(operation op, slot to, slot_list operands, position where);
  slot value(operation op, slot_list operands, position where, std::int64_t immediate = 0);
  slot constant(std::int64_t what, position where) {
    return value(operation::constant, {}, where, what);
  }
  void choose(slot condition, slot to, const action& yes, const action& no, position where);
  void deliver(slot s, target to, position where);

  // expressions.cpp
  slot lower(const expression& e);
  void lower(const expression& e, target to);
  void lower_name(const expression& e, target to);
  void lower_apply(const expression& e, target to);
  void lower_operator(const expression& e, target to);
  void lower_list(const expression& e, target to);
  void lower_block(const expression& e, target to);
  void lower_index(const expression& e, target to);
  std::int64_t text_number(std::string_view literal);  // of what it stands for
  void lower_literal(const expression& e, target to);
  void lower_builtin(const variable& v, const slot_list& arguments, type* t, target to,
                     position where);
  void lower_pair(slot pair, slot_list& to, position where);
  void function_value(idc::function& f, const slot_list& arguments, target to, position where);
  void constructed(const constructor& c, const slot_list& arguments, target to, position where);
  void apply_rest(slot f, const slot_list& arguments, std::size_t from, target to, position where);
  void lower_statements(const expression& e);
  void lower(const statement& s);

  // patterns.cpp
  void declare(const pattern& p);
  void bind(const pattern& p, slot s);
  slot matched(const pattern& p, slot s, position where);
  slot test(const pattern& p, slot s);
  slot test_all(std::span<pattern* const> patterns, std::size_t from,
                const std::function<slot(std::size_t)>& value_of, position where);

  // An array that is being filled, by a loop over its first index; what that loop is.
  struct filling {
    const variable* array = nullptr;
    const variable* row = nullptr;
    function* loop = nullptr;
  };

  // loops.cpp
  void begin_loop(builder& b, std::string_view kind, position where);
  slot_list end_loop(builder& b, slot_list arguments);
  void call_self(slot to, slot_list arguments, position where);
  void lower_loop(const expression& e, target to);
  void lower_array(const expression& e, target to);
  void nest(std::span<generator* const> generators, const action& leaf, filling* of = nullptr);
  void nest_list(const expression& e, std::span<generator* const> generators, slot rest, target to);
  // Over a range or a list.
  slot step_of(const generator& g);
  slot stop_of(const generator& g, slot last, slot rest);
  slot_list source_of(const generator& g);
  slot_list begin_rounds(const generator& g, const slot_list& arguments);
  slot has_round(const generator& g, const slot_list& source);
  slot_list next_round(const generator& g, const slot_list& source);
  void test_next(const generator& g, const slot_list& source, slot_list& next);

  std::unordered_map<const idc::function*, draft> functions_;
  std::unordered_map<std::string, draft> wrappers_;
  draft* now_ = nullptr;  // null: none is being lowered
  std::vector<draft*> waiting_;  // to be lowered; then, in the order
  builder* b_ = nullptr;
};

}  // namespace idc::core

#endif
