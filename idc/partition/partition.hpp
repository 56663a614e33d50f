// SPDX-License-Identifier: Apache-2.0
// A function's graph in threads. What a node waits for in the end is a set of inputs: messages that
// come from outside of the activation, and values of choices. Nodes of a region with equal sets
// (dependence sets; Traub 1986, Traub, Culler and Schauser 1992) are one thread, as nothing that
// one of them waits for can depend on another one. An argument that comes when it comes is an input
// of its own; those that a caller has at hand come together. So a function has a variant for each
// choice of these, and another if nobody wants its result.
#ifndef IDC_PARTITION_PARTITION_HPP
#define IDC_PARTITION_PARTITION_HPP

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "idc/graph/graph.hpp"

namespace idc::partition {

// Of inputs of a plan.
class input_set {
 public:
  void add(std::size_t i) {
    if (i >= 64 && more_.size() < i / 64) more_.resize(i / 64);
    word(i / 64) |= std::uint64_t{1} << (i % 64);
  }
  void add(const input_set& other) {
    first_ |= other.first_;
    if (more_.size() < other.more_.size()) more_.resize(other.more_.size());
    for (std::size_t i = 0; i < other.more_.size(); ++i) more_[i] |= other.more_[i];
  }
  bool is_in(const input_set& other) const {
    if ((first_ & ~other.first_) != 0) return false;
    for (std::size_t i = 0; i < more_.size(); ++i) {
      const std::uint64_t there = i < other.more_.size() ? other.more_[i] : 0;
      if ((more_[i] & ~there) != 0) return false;
    }
    return true;
  }
  bool operator==(const input_set&) const = default;  // no word at the end of more_ is 0
  std::size_t hash() const {
    std::size_t all = first_;
    for (const std::uint64_t w : more_) all = (all ^ all >> 29) * 0xbf58476d1ce4e5b9U + w;
    return all;
  }

 private:
  std::uint64_t& word(std::size_t i) { return i == 0 ? first_ : more_[i - 1]; }

  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;
};

struct thread;

struct variant {
  const graph::function* of = nullptr;
  std::vector<bool> by_value;  // of each parameter
  bool wants_result = true;
  auto operator<=>(const variant&) const = default;
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
  std::size_t parameter = 0;
  graph::value to = graph::kNoValue;
  const graph::region* in = nullptr;
  input_set all;  // with itself, what it depends on
  std::vector<thread*> posts;
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
  const graph::node* of = nullptr;
  std::size_t operand = 0;  // pass
};

struct switching {
  const graph::node* choice = nullptr;
  std::vector<thread*> yes, no;
};

struct thread {
  std::uint32_t number = 0;
  const graph::region* in = nullptr;
  input_set all;
  std::vector<step> steps;
  std::vector<int> sources;  // inputs, and threads as ~number
  std::vector<switching> switches;
  std::vector<thread*> forks;
  std::uint32_t count = 0;
  bool is_head = false;  // of the loop
  bool frees = false;
};

struct plan {
  variant of;
  std::uint32_t number = 0;
  bool is_loop = false;
  const graph::node* self = nullptr;  // loops: the call that is the next round
  std::deque<thread> threads;
  std::vector<input> inputs;
  thread* head = nullptr;
  thread* joined = nullptr;  // ahead of it
  std::map<const graph::node*, const plan*> callees;  // of calls
  std::map<const graph::node*, std::vector<bool>> passed;  // of calls: which operands go later
  std::map<const graph::node*, bool> by_cell;  // of applies
};

struct plans {
  std::deque<plan> all;
  const plan* main = nullptr;
  std::map<const graph::function*, const plan*> code;  // what closures call
};

plans partition(const graph::program& p);

std::string print(const plans& p);

}  // namespace idc::partition

#endif
