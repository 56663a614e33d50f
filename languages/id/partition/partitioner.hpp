// SPDX-License-Identifier: Apache-2.0
#ifndef IDC_PARTITION_PARTITIONER_HPP
#define IDC_PARTITION_PARTITIONER_HPP

#include <functional>
#include <unordered_map>

#include "languages/id/partition/partition.hpp"

namespace idc::partition {

class partitioner {
 public:
  using find_variant = std::function<variant*(const variant&)>;
  explicit partitioner(find_variant find) : find_(std::move(find)) {}

  // Fills a plan that is empty but for its variant. False: the function cannot be a loop in one
  // activation.
  bool run(plan& made, bool as_loop);

 private:
  static constexpr std::size_t kArguments = 0;

  // dependence.cpp
  void begin();
  void begin_sets();
  void begin_packed();
  void find_sets();
  void find_set(const graph::node& n);
  bool waits_for(const graph::node& n, std::size_t operand) const;
  bool is_there(const graph::node& n, std::size_t operand) const;
  void place(const graph::node& n);
  void place_once(const graph::node& n) {
    if (!nodes_[n.number].is_placed) place(n);
  }
  void place_maker(graph::value v) {
    if (const graph::node* const from = f_->values[v].from) place_once(*from);
  }
  void read(const thread& t, graph::value v);
  void read_as_source(thread& t, graph::value v);
  void place_call(const graph::node& n);
  void find_packed(const graph::node& call, variant& wanted) const;
  void place_apply(const graph::node& n);
  const input_set& control(const graph::region& r);
  const input_set& all_of(graph::value v) const { return values_[v].all; }
  const input_set& set_of(const graph::node& n) const { return nodes_[n.number].all; }
  thread*& thread_of(const graph::node& n) { return nodes_[n.number].by; }
  std::uint32_t add_input(input::kind is, const graph::node* from, graph::value to,
                          const graph::region* in, input_set all);
  std::uint32_t answer_of(const graph::node& n) const { return plan_->answers[n.number]; }
  thread* find_thread(const graph::region& r, const input_set& all);
  thread& add_thread(const graph::region& r);
  thread& thread_for(const graph::region& r, const input_set& all);
  thread& add_step(const graph::region& r, const input_set& all, step s);
  void add_late_steps();
  void find_slots();

  // loops.cpp
  bool find_loop();
  bool check_loop();
  void begin_loop();
  bool is_in_test(const graph::node& n) const;
  const input_set& without_round(graph::value v, const input_set& early);
  void join_loop();

  // entries.cpp
  void find_sources(thread& t);
  const input_set& before(std::size_t source) {
    if (source < before_.size() && before_[source].is_known) return before_[source].all;
    return find_before(source);
  }
  const input_set& find_before(std::size_t source);
  void resolve(thread& t);
  void drop_implied(input_set& sources);
  void enter(thread& t, const input_set& sources);
  thread& switch_to(const graph::node& choice, const input_set& sources);
  void add_target(thread& from, const graph::node& choice, bool is_yes, thread& to);
  // Inputs and threads in one row: when there are threads, there are no further inputs.
  std::size_t number_of(const thread& t) const { return plan_->inputs.size() + t.number; }
  thread& thread_at(std::size_t source) { return plan_->threads[source - plan_->inputs.size()]; }

  // ends.cpp
  struct end {  // what a region waits for at its end
    thread* by = nullptr;
    std::size_t input = ~std::size_t{0};
    const graph::node* choice = nullptr;  // by: one of its sides that has nothing else to do
    bool is_yes = false;
  };
  using end_list = std::vector<end>;
  end_list ends_of(const graph::region& r);
  static bool leads_on(const thread& t) {
    return t.asks || !t.forks.empty() || !t.switches.empty();
  }
  void finish(const graph::region& r, thread& to);
  void finish(const end& e, thread& to);
  bool needs_end(const graph::node& choice);
  static const switching* switch_of(const thread& t, const graph::node& choice);
  void fork_merges();
  void free_at_end();
  void free_in_place(thread& freed);

  // Of what follows, all is one plan's; it is kept for the next one's sake, which needs the memory.
  plan* plan_ = nullptr;
  const graph::function* f_ = nullptr;
  find_variant find_;
  bool as_loop_ = false;
  bool is_first_ = false;  // as a loop's first round, which calls the next ones
  struct set_hash {
    std::size_t operator()(const input_set& s) const { return s.hash(); }
  };
  // The thread of each set, by regions' numbers.
  std::vector<std::unordered_map<input_set, thread*, set_hash>> by_set_;
  struct thread_row {  // in the order of their numbers
    thread* first = nullptr;
    thread* last = nullptr;
  };
  std::vector<thread_row> in_region_, at_depth_;  // by regions' numbers, and their depths
  std::vector<input_set> sources_in_;  // by regions' numbers: inputs and threads there
  std::vector<char> has_choice_;  // the same
  input_set control_;  // of the body
  variant wanted_;  // by the call that is placed
  struct node_row {
    input_set all;  // what it waits for
    thread* by = nullptr;
    bool is_placed = false;
  };
  std::vector<node_row> nodes_;
  struct value_row {
    input_set all;  // what it depends on; nothing until what makes it has its set
    std::uint32_t source = kNone;  // the input or thread that makes it, once that is known
  };
  std::vector<value_row> values_;
  // What has operands that may be made in threads that come later.
  struct reader {
    const graph::node* of;
    thread* by;
  };
  std::vector<reader> readers_;
  struct late {
    step what;
    const graph::region* in;
    input_set all;
  };
  std::vector<late> late_;
  struct before_row {
    input_set all;
    bool is_known = false;
  };
  std::vector<before_row> before_;  // of inputs and threads
  enum class needs_end_is : std::uint8_t { not_known, no, yes };
  std::vector<needs_end_is> needs_end_;  // of choices, by node
  // Of each region: inputs but choices, as a list that ends with 0.
  std::vector<std::uint32_t> inputs_in_, next_input_;
  const graph::node* test_ = nullptr;  // loops: the choice between a round and the end
  std::vector<bool> hoisted_;  // ahead of a loop, or of a packed function
  input_set round_;  // loops: what all in a round depends on
  std::unordered_map<graph::value, input_set> natural_;
};

}  // namespace idc::partition

#endif
