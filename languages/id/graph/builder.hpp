// SPDX-License-Identifier: Apache-2.0
// From the kernel language to the graph.
#ifndef IDC_GRAPH_BUILDER_HPP
#define IDC_GRAPH_BUILDER_HPP

#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <unordered_map>

#include "languages/id/graph/graph.hpp"
#include "languages/id/infer/types.hpp"

namespace idc::graph {

constexpr std::int64_t kTags = 16;         // numbers of constructors: in four bits
constexpr std::int64_t kCodeWords = 2;     // of a closure, ahead of what it was given

// A function on its way.
struct draft : function {
  std::function<void()> fill;
  bool is_filled = false;
  std::exception_ptr thrown;  // instead
  // What is in it has asked for these, and calls them: again and again, in this order.
  struct use {
    draft* of;
    bool is_call;
  };
  std::vector<use> uses;
};

constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};

class builder {
 public:
  builder(const facts& known, type_store& types, program& out)
      : facts_(known),
        core_(known.core),
        types_(types),
        limit_(known.limit),
        trees_(known.trees()),
        globals_(known.globals),
        text_numbers_(known.text_numbers),
        entries_(known.core.functions.size()),
        out_(out) {}

  // Makes a plain function, and all that it needs.
  void make(const core::function& f);
  // Makes main and the functions that print its result, and puts all functions in order.
  void finish();

 private:
  // What was made of a kernel function.
  struct wrapper {
    std::size_t given;
    bool by_cell;
    draft* made;
  };
  struct entry {
    draft *plain = nullptr, *rounds = nullptr, *shared = nullptr;
    std::vector<wrapper> wrappers;
  };
  // The values of a kernel function's slots where it is copied to.
  using environment = std::vector<value>;
  // What is copied, and where what it gives goes.
  struct context {
    const kernel* of = nullptr;
    environment* values = nullptr;
    core::slot arm_to = core::kNoSlot;  // the slot that this region gives to the choice `join`
    node* join = nullptr;
    enum class gives { result, join, nothing } to = gives::result;
  };

  // functions (build.cpp)
  draft* make(std::string name, position where);
  void later(draft* made, std::function<void()> fill);
  void fill(draft& made);
  function* ask_for(draft* of);
  void number(draft& made);
  void number_used(draft& by);
  function* of(const core::function& f);
  function* rounds_of(const core::function& f);
  function* shared_of(const core::function& f, std::size_t operands);
  function* wrapper_of(const core::function& f, std::size_t given, bool by_cell);
  void fill(draft& made, const core::function& f);
  void fill_rounds(draft& made, const core::function& f);
  void fill_round(function& made, const core::function& f);
  void fill_shared(draft& made, const core::function& f, std::size_t operands);
  void fill_wrapper(draft& made, const core::function& f, std::size_t given, bool by_cell);
  void outline(const kernel& k, environment& values);
  void fill_outlined(draft& made, const kernel& k, const core::slot_list& taken, bool has_globals);
  // Whether a loop that is called here goes to the ranks. One in a tree of calls whose rounds fill
  // no rows does not: they would go in turn, whereas what they call goes to idle ranks.
  bool rounds_are_spread(const kernel& k) const {
    return k.loop() && k.loop()->is_apart && k.loop()->calls && !f_->in_round &&
           (k.function().fills != core::kNoSlot || !trees_.is_recursive(k.function()));
  }
  // limits (limits.cpp)
  bool is_chained(const kernel& k) const {
    return facts_.is_limited(k.function()) && limit_.chained.contains(&k.function());
  }
  bool is_limited(const kernel& k) const {
    return facts_.is_limited(k.function()) && (k.loop()->is_apart || is_chained(k));
  }
  std::size_t condition_of(const kernel& k) const;
  // What a round takes: of the loop's parameters, or of values for them.
  template <class L>
  L without_condition(const kernel& k, const L& all) const {
    const std::size_t at = condition_of(k);
    L made;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i != at) made.push_back(all[i]);
    return made;
  }
  std::string said_limit(const kernel& k) const;
  void add_permits(const kernel& k, value_list& arguments, position where);
  struct permit_value {
    value permits = kNoValue, permit = kNoValue;
  };
  permit_value permit_of(const function& rounds, const kernel& k) const;  // none: not limited
  value next_permit(value permit, position where);
  value and_taken(value condition, permit_value next, position where);
  void fill_chained(function& made, const core::function& f);
  value pack(const value_list& values, position where);
  value unpacked(std::size_t which, std::string_view name, position where);
  const kernel& kernel_of(const core::function& f) const { return facts_.kernel_of(f); }
  bool needs_globals(const core::function& f) const { return facts_.needs_globals(f); }
  value add_parameter(function& f, std::string_view name);
  void add_globals(function& f);
  // What a call of the kernel's function takes.
  value_list with_globals(value_list operands, const core::function& callee);

  // what nodes are made of
  value fresh(std::string_view name = "");
  value constant(std::int64_t bits);
  node& add(operation op, value_list operands, position where, value to);
  value add(operation op, value_list operands, position where, std::int64_t immediate = 0);
  value compute(tl0::opcode code, value_list operands, position where);
  node& add_call(function* callee, value_list operands, position where, value to);
  node& begin_choice(value condition, position where, value to);
  void merge(node& choice, value v, position where);
  void in(region& r, const auto& make) {
    region* const was = std::exchange(now_, &r);
    make();
    now_ = was;
  }

  // bindings (bindings.cpp)
  value value_of(const context& c, core::slot s);
  value_list values_of(const context& c, const core::binding& b);
  void copy(const core::region& r, const context& c);
  void copy(const core::binding& b, const context& c);
  // Whether its value is that of the choice in a side of which it stands.
  static bool is_of_choice(const core::binding& b, const context& c);
  void copy_constant(const core::binding& b, const context& c);
  void copy_move(const core::binding& b, const context& c);
  void copy_no_match(const core::binding& b, const context& c);
  static bool is_awaited(const core::binding& b, const context& c);
  void copy_apply(const core::binding& b, const context& c, value to);
  void copy_choice(const core::binding& b, const context& c, value to);
  void copy_call(const core::binding& b, const context& c, value to);
  void copy_loop(const core::binding& b, const kernel& loop, const context& c, value to);
  void copy_give(const context& c, value v, position where);
  bool is_shared(const context& c, const core::function& callee);
  bool is_walk(const context& c, const core::function& callee);
  void copy_shared(const core::binding& b, const context& c, value to, const value_list& operands);
  node& call_into(const context& c, function* callee, value_list operands, position where);
  void copy_compute(const core::binding& b, const context& c, value to);

  // structures (structures.cpp)
  static std::int64_t tag_of(const core::binding& construct);
  void construct(const core::binding& b, const context& c, value to);
  void close(const core::function& f, const value_list& given, position where, value to);
  void allocate(const core::binding& b, const context& c, value to);
  void access(const core::binding& b, const context& c, value to);
  value bound(value array, std::int64_t which, position where);
  value data_of(value array, bool is_mutable, std::int64_t dimensions, position where);

  // output (output.cpp)
  void make_main();
  kind kind_of_argument(const type& t) const;
  function* printer_of(type* t, bool as_field);
  void fill_printer(draft& made, type* t, bool as_field);
  value print(value v, type* t, bool as_field, value after);
  value write(std::string_view text, value after);
  void print_list(function& made, type* t, bool is_rest);
  void print_tuple(type* t, value v, value after);
  void print_data(type* t, value v, value after, bool as_field);
  void print_constructor(type* t, std::size_t tag, value v, value after, bool as_field);
  void print_string(value v, value after, std::size_t first, std::size_t last);
  void print_array(function& made, type* t);
  function* elements_of(type* t);
  void give(value v);

  const facts& facts_;
  const core::program& core_;
  type_store& types_;
  const loop_limit& limit_;
  const call_trees& trees_;
  const std::unordered_map<const core::function*, std::int64_t>& globals_;
  const std::vector<std::int64_t>& text_numbers_;
  std::vector<entry> entries_;  // by the functions' numbers
  program& out_;
  std::deque<draft> drafts_;
  std::vector<draft*> waiting_;  // that are to be filled
  std::map<std::string, draft*> printers_;
  std::map<std::tuple<const region*, value, std::int64_t>, value> bounds_;
  draft* f_ = nullptr;
  region* now_ = nullptr;
};

}  // namespace idc::graph

#endif
