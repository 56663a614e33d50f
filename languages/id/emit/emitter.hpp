// SPDX-License-Identifier: Apache-2.0
#ifndef IDC_EMIT_EMITTER_HPP
#define IDC_EMIT_EMITTER_HPP

#include <array>
#include <span>
#include <unordered_map>

#include "languages/id/emit/emit.hpp"
#include "languages/id/emit/names.hpp"
#include "languages/id/partition/partition.hpp"

namespace idc::emit {

using graph::kind;
using graph::value;
using tl0::index;
using tl0::operand;

using operands = std::vector<operand>;

class emitter {
 public:
  // The blocks of all plans that come have names.
  emitter(const graph::program& from, const partition::variant_table& variants,
          const block_names& names, find_line lines);
  emitter(const emitter&) = delete;
  emitter& operator=(const emitter&) = delete;

  // Declares and fills the plan's code block. All plans come, in the order of their numbers.
  void add_block(const partition::plan& made);
  tl0::program take();

 private:
  // What callers know of a code block.
  struct signature {
    const partition::variant* of = nullptr;
    // How many by-value parameters each message brings, without the result.
    std::vector<index> messages;
    // Names of these messages' inlets, and of those of the parameters that come by themselves.
    std::vector<index> inlets;
  };
  // A code block, and where the parts of its plan are in it.
  struct block {
    index number = 0;
    std::vector<index> slots;    // of each value: of the block's; kNone
    index result = tl0::kNone;   // slots
    std::vector<index> frames, codes, cells;  // slots by nodes; empty if there are none
    std::vector<index> inputs;   // inlets of the program
    index start = tl0::kNone;    // the thread that joins several messages
    std::vector<index> threads;
    std::vector<std::pair<const partition::thread_list*, index>> groups;
  };
  struct known_line {
    std::uint32_t begin = 0, bytes = 0;  // offsets in the source
    index line = 0, file = 0;
    bool has(position p) const { return p.at - begin < bytes; }
  };
  // The instruction's target is this inlet of another block.
  struct far_target {
    index instruction, block, inlet;
  };
  // Of a block that the program has.
  struct known_block {
    index name = tl0::kNone;
    index number = tl0::kNone;      // if it has it
    index frame_type = tl0::kNone;  // once it is asked for
  };

  // declare.cpp
  signature sign(const partition::variant& v);
  void sign_callees();
  const signature& signature_of(const partition::variant& callee) const;
  void declare();
  void declare_slots();
  void declare_inlets();
  void declare_threads();
  index add_slot(index wanted, index type, position where);
  index add_inlet(index name, std::span<const operand> to, std::span<const index> types,
                  position where);
  index add_inlet(const partition::input& in, std::size_t number, index name);
  index add_thread(index wanted, index count, position where);
  static index slot_of(const std::vector<index>& by_node, const graph::node& n) {
    return by_node.empty() ? tl0::kNone : by_node[n.number];
  }
  position where_of(const partition::thread& t) const;
  index type_of(kind k);
  index inlet_of(kind k);
  index frame_of(const partition::variant& of);  // activations of the block
  known_block& known(const partition::variant& v);
  index block_of(const partition::variant& v);
  index code_type();  // of what closures call
  tl0::position place(position p);

  // threads.cpp
  void fill();
  void fill_inlets();
  void begin(tl0::body& to);
  void end(tl0::body& to);
  void thread_body(const partition::thread& t);
  void forks(const partition::thread& t);
  void give_permit_back();
  index thread_of(const partition::thread_list& all) const;
  void step_(const partition::step& s);
  bool rounds_call() const;
  void again(const graph::node& n);

  // nodes.cpp
  void node(const graph::node& n);
  void compute(const graph::node& n);
  void offset(const graph::node& n);
  void extent(const graph::node& n);
  void structure(const graph::node& n);
  void write(const graph::node& n);
  void fail(const graph::node& n);
  void tagged_word(const graph::node& n);
  void give(const graph::node& n);

  // calls.cpp
  void call(const graph::node& n);
  void send(operand frame, const signature& to, index inlet, const operands& list);
  void pass(const graph::node& n, std::size_t which);
  void apply_code(const graph::node& n);
  void apply_call(const graph::node& n);
  void apply_pass(const graph::node& n);
  operand answer(kind is, index inlet);
  index answer_inlet(const graph::node& n) const;

  // instructions (threads.cpp)
  tl0::instruction& add(const tl0::instruction& made);
  operand temporary(index type);
  operand computed(tl0::opcode op, operand a, operand b, index type);
  operand integer(std::int64_t bits) {
    return p_.constant(static_cast<std::uint64_t>(bits), type_of(kind::integer));
  }
  index arguments(const operands& list);
  operand string(const std::string& text);
  operand literal(const char* text);  // the same of one that stays where it is
  operand slot(index of_block) const { return operand::in(tl0::space::slot, of_block); }
  // The value as one of this kind.
  operand read(value v, kind wanted);
  operand as(operand from, kind is, kind wanted);
  operand retype(operand from, index type);
  void write_to(value v, operand from, kind is);
  kind kind_of(value v) const { return plan_->of->of->values[v].is; }
  operand target(value v);
  operand keep(value v, operand in);

  const graph::program& from_;
  find_line lines_;
  const partition::variant_table& variants_;
  tl0::program p_;
  std::vector<known_block> blocks_;  // by variants' numbers
  signature own_;                     // of the block that is made
  std::vector<signature> signatures_;  // of those that it calls
  std::vector<far_target> far_targets_;
  std::vector<operands> messages_;  // of the call that is made
  names names_;
  std::unordered_map<std::string, index> strings_;
  std::vector<std::pair<const char*, operand>> literals_;
  known_line line_;  // that was looked up last
  std::array<index, 6> kinds_{}, inlets_{};
  index code_type_ = tl0::kNone;

  const partition::plan* plan_ = nullptr;  // of the block that is made
  block now_;
  // Of each value of the function: its temporary in the body.
  std::vector<operand> temporaries_;
  std::vector<value> in_temporaries_;  // those that have one
  index temporary_count_ = 0;
  tl0::position place_;
};

}  // namespace idc::emit

#endif
