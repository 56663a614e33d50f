// SPDX-License-Identifier: Apache-2.0
// From the typed tree to the kernel language. Functions get what they capture as parameters ahead
// of their own; loops and comprehensions become functions that get what they turn out to need.
#ifndef IDC_CORE_LOWERING_HPP
#define IDC_CORE_LOWERING_HPP

#include <functional>
#include <unordered_map>

#include "idc/core/core.hpp"
#include "idc/infer/types.hpp"

namespace idc::core {

class lowering {
 public:
  explicit lowering(const idc::program& of) : tree_(of) {}
  program run();

 private:
  // A function that is being made, inside of the one around it.
  struct builder {
    function* made = nullptr;
    region* now = nullptr;
    builder* around = nullptr;  // loops: whose variables they may need
    std::unordered_map<const variable*, slot> slots;
    std::vector<const variable*> needed;  // loops: what they got from around, in order
    std::vector<std::pair<region*, std::size_t>> self_calls;
  };
  // Where a value goes: into a slot, or out of the function as its result.
  struct target {
    slot to = kNoSlot;  // kNoSlot: it is the result
    bool is_result() const { return to == kNoSlot; }
  };
  using action = std::function<void()>;

  // functions.cpp
  function* make_function(std::string name, position where);
  function* of(idc::function& f);
  void lower_body(idc::function& f);
  function* of_constructor(const constructor& c);
  function* of_builtin(const expression& e);
  void lower_clauses(const std::vector<clause*>& clauses, std::size_t from,
                     const slot_list& values, target to, position where);

  // bindings
  slot fresh(std::string_view name = "");
  slot slot_of(const variable& v);
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
  void lower_literal(const expression& e, target to);
  void lower_builtin(const variable& v, const slot_list& arguments, type* t, target to,
                     position where);
  void lower_pair(slot pair, slot_list& to, position where);
  void function_value(idc::function& f, const slot_list& arguments, target to,
                      position where);
  void constructed(const constructor& c, const slot_list& arguments, target to,
                   position where);
  void apply_rest(slot f, const slot_list& arguments, std::size_t from, target to,
                  position where);
  void lower_statements(const expression& e);
  void lower(const statement& s);

  // patterns.cpp
  void declare(const pattern& p);
  void bind(const pattern& p, slot s);
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
  slot_list source_of(const generator& g);
  slot_list begin_rounds(const generator& g);
  slot has_round(const generator& g, const slot_list& source);
  slot_list next_round(const generator& g, const slot_list& source);

  const idc::program& tree_;
  program out_;
  std::unordered_map<const idc::function*, function*> functions_;
  std::unordered_map<std::string, function*> wrappers_;
  std::vector<idc::function*> waiting_;
  builder* b_ = nullptr;
};

}  // namespace idc::core

#endif
