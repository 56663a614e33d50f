// SPDX-License-Identifier: Apache-2.0
// A function's graph in threads. What a node waits for in the end is a set of inputs: messages that
// come from outside of the activation, and values of choices. Nodes of a region with equal sets
// (dependence sets; Traub 1986, Traub, Culler and Schauser 1992) are one thread, as nothing that
// one of them waits for can depend on another one. An argument that comes when it comes is an input
// of its own; those that a caller has at hand come together. So a function has a variant for each
// choice of these, and another if nobody wants its result. What comes in a structure is like an
// argument if the caller stores it where it calls: all of that is waited for together.
#ifndef IDC_PARTITION_PARTITION_HPP
#define IDC_PARTITION_PARTITION_HPP

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "languages/id/graph/graph.hpp"
#include "languages/support/bit_set.hpp"

namespace idc::partition {

// Of inputs of a plan, or of inputs and, behind all of these, threads.
using input_set = frontend::bit_set;

struct plan;
struct thread;
using thread_list = std::vector<thread*>;
constexpr std::uint32_t kNone = ~std::uint32_t{0};

// What callers know of a plan.
struct variant {
  const graph::function* of = nullptr;
  // Parameters; behind them, if they come packed, what the caller stores where it calls.
  frontend::bit_set by_value;
  bool wants_result = true;
  // Once its place in the order is known:
  std::uint32_t number = kNone;
  std::string block;  // the name of its code block
};

// What arrives.
struct input {
  enum class kind : std::uint8_t {
    arguments,  // all that come by value, and where the result goes
    parameter,  // one that comes by itself
    answer,  // to a fetch, take, call, apply
    code,  // what an apply calls
    choice,  // the value of a choice, by one of its sides
  } is = kind::arguments;
  const graph::node* from = nullptr;
  std::uint32_t parameter = 0;
  graph::value to = graph::kNoValue;
  const graph::region* in = nullptr;
  input_set all;  // with itself, what it depends on
  thread_list posts;
};

// What a thread does, in order.
struct step {
  enum class kind : std::uint8_t {
    node,
    pass,  // an argument of a call goes to the callee by itself
    apply_code,  // asks for what an apply calls
    apply_call,
    apply_pass,  // its argument, later
    again,  // the next round of the loop
  } is = kind::node;
  std::uint32_t operand = 0;  // pass
  const graph::node* of = nullptr;
};

struct switching {
  const graph::node* choice = nullptr;
  thread_list yes, no;
};

struct thread {
  std::uint32_t number = 0;
  const graph::region* in = nullptr;
  input_set all;
  std::vector<step> steps;
  input_set sources;  // what gives it an entry, unless another one of these comes after that
  std::vector<switching> switches;
  thread_list forks;
  std::uint32_t count = 0;
  bool is_head = false;  // of the loop
  bool asks = false;  // something comes after one of its steps
  bool frees = false;
  thread* next_in_region = nullptr;  // with a greater number
  thread* next_at_depth = nullptr;
};

struct plan {
  const variant* of = nullptr;
  bool is_loop = false;
  bool is_first = false;  // the first round of a loop in turn: the others are another activation
  bool passes_later = false;  // a call's operand, or an apply's: what step::kind::pass is for
  bool has_groups = false;  // several threads of a side of a choice, in a switching
  const graph::node* self = nullptr;  // loops: the call that is the next round
  std::deque<thread> threads;
  std::vector<input> inputs;
  thread* head = nullptr;
  thread* joined = nullptr;  // ahead of it
  // By the numbers of nodes, or of values.
  std::vector<std::uint32_t> answers;  // inputs of nodes, or kNone
  std::vector<std::uint32_t> codes;  // inputs of applies; empty if there are none
  std::vector<bool> by_cell;  // applies; as large
  std::vector<char> in_slots;  // values that one thread leaves for another
  std::vector<const variant*> callees;  // of calls, what it does not take by value goes later
  std::vector<variant*> calls;  // the same, in the order in which they were placed
  std::vector<variant*> found;  // of these, ahead of all plans before; their numbers are the next
};

class variant_table {
 public:
  // With main, and what closures call: these are numbered.
  explicit variant_table(const graph::program& p);

  // A new one if there is none that is alike.
  variant* find(const variant& wanted);
  variant& main() const { return *in_order_[0]; }
  // What a closure calls: no other variant of it is ever found.
  const variant& code(const graph::function& f) const { return *by_function_[f.number][0]; }

  // In the order in which they are found by plans that are made in this order.
  const std::vector<variant*>& in_order() const { return in_order_; }
  // Of the next plan in the order: its calls of variants without a number get one, and are found.
  void number_calls(plan& next);

 private:
  void number(variant& found);

  std::deque<variant> variants_;
  std::vector<std::vector<variant*>> by_function_;  // by the functions' numbers
  std::vector<variant*> in_order_;  // by number
};

class partitioner;

// Makes plans.
class plan_maker {
 public:
  explicit plan_maker(variant_table& all);
  ~plan_maker();
  plan_maker(const plan_maker&) = delete;
  plan_maker& operator=(const plan_maker&) = delete;

  plan make(const variant& of);

 private:
  std::unique_ptr<partitioner> partitioner_;
};

// Makes the plans one by one, in the order in which their variants are found, from main on.
class planner {
 public:
  explicit planner(const graph::program& p) : all_(p), maker_(all_) {}
  // False: all are made.
  bool next(plan& made);
  const variant_table& variants() const { return all_; }

 private:
  variant_table all_;
  plan_maker maker_;
  std::size_t made_ = 0;
};

std::string print(const graph::program& p);

}  // namespace idc::partition

#endif
