// SPDX-License-Identifier: Apache-2.0
#ifndef IDC_PARTITION_PARTITIONER_HPP
#define IDC_PARTITION_PARTITIONER_HPP

#include <functional>
#include <unordered_map>

#include "idc/partition/partition.hpp"

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
  void place_call(const graph::node& n);
  void find_packed(const graph::node& call, variant& wanted) const;
  void place_apply(const graph::node& n);
  const input_set& control(const graph::region& r);
  const input_set& all_of(graph::value v) const { return value_sets_[v]; }
  std::uint32_t add_input(input::kind is, const graph::node* from, graph::value to,
                        const graph::region* in, input_set all);
  std::uint32_t answer_of(const graph::node& n) const { return plan_->answers[n.number]; }
  thread*& find_thread(const graph::region& r, const input_set& all);
  thread& add_thread(const graph::region& r);
  thread& thread_for(const graph::region& r, const input_set& all);
  void add_step(const graph::region& r, const input_set& all, step s);

  // loops.cpp
  bool find_loop();
  bool check_loop();
  void begin_loop();
  bool is_in_test(const graph::node& n) const;
  const input_set& without_round(graph::value v, const input_set& early);
  void join_loop();

  // entries.cpp
  void find_sources(thread& t);
  void steps_sources(thread& t);
  void source_of(thread& t, graph::value v);
  void add_source(thread& t, int source);
  const graph::region& home_of(int source) const;
  const input_set& before(int source) {
    const std::size_t number = number_of(source);
    if (number < before_.size() && before_[number].is_known) return before_[number].all;
    return find_before(source);
  }
  const input_set& find_before(int source);
  bool is_before(int first, int second);
  void resolve(thread& t);
  void drop_implied(source_list& sources);
  void enter(thread& t, const source_list& sources);
  thread& switch_to(const graph::node& choice, const source_list& sources);
  void add_target(thread& from, const graph::node& choice, bool is_yes, thread& to);
  // Inputs and threads in one row.
  std::size_t number_of(int source) const {
    return source >= 0 ? static_cast<std::size_t>(source)
                       : plan_->inputs.size() + static_cast<std::size_t>(~source);
  }

  // ends.cpp
  struct end {  // what a region waits for at its end
    thread* by = nullptr;
    std::size_t input = ~std::size_t{0};
    const graph::node* choice = nullptr;  // by: one of its sides that has nothing else to do
    bool is_yes = false;
  };
  using end_list = frontend::small_vector<end, 4>;
  end_list ends_of(const graph::region& r);
  bool leads_on(const thread& t) const;
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
  // By region and set, in 2^n places, of which half are free: null.
  std::vector<thread*> by_set_;
  std::size_t by_set_count_ = 0;
  thread* last_ = nullptr;  // that was asked for
  struct thread_row {  // in the order of their numbers
    thread* first = nullptr;
    thread* last = nullptr;
  };
  std::vector<thread_row> in_region_, at_depth_;  // by regions' numbers, and their depths
  input_set control_;  // of the body
  variant wanted_;  // by the call that is placed
  std::vector<input_set> sets_;      // of each node: what it waits for
  // Of each value: what it depends on; nothing until what makes it has its set.
  std::vector<input_set> value_sets_;
  std::vector<std::size_t> parameters_;  // of each: its input
  std::vector<std::size_t> parameter_numbers_;  // of each value that is one
  std::vector<thread*> threads_of_;  // of each node
  std::vector<char> placed_;
  struct late {
    step what;
    const graph::region* in;
    input_set all;
  };
  std::vector<late> late_;
  struct before_row {
    input_set all;  // by number_of()
    bool is_known = false;
  };
  std::vector<before_row> before_;  // by number_of()
  enum class needs_end_is : std::uint8_t { not_known, no, yes };
  std::vector<needs_end_is> needs_end_;  // of choices, by node
  // Of each region: inputs but choices, as a list that ends with 0.
  std::vector<std::uint32_t> inputs_in_, next_input_;
  const graph::node* test_ = nullptr;  // loops: the choice between a round and the end
  std::vector<bool> hoisted_;  // ahead of a loop, or of a packed function
  input_set round_;              // loops: what all in a round depends on
  std::unordered_map<graph::value, input_set> natural_;
};

}  // namespace idc::partition

#endif
