// SPDX-License-Identifier: Apache-2.0
// What is known of a program in the kernel language before its graphs are made.
#ifndef IDC_GRAPH_FACTS_HPP
#define IDC_GRAPH_FACTS_HPP

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "languages/id/graph/kernel.hpp"
#include "languages/id/graph/trees.hpp"

namespace idc::graph {

// How many rounds of a loop there may be at one time: an M-structure of permits, of which a round
// takes one to begin with.
struct loop_limit {
  int rounds = 0;  // 0: any number
  // By a limit of one round: loops that cannot have their rounds in one activation, in turn.
  std::set<const core::function*> not_in_turn;
  // Loops of which each round is an activation that calls the next one.
  std::set<const core::function*> chained;
};

class facts {
 public:
  facts(const core::program& of, loop_limit loops);
  facts(const facts&) = delete;
  facts& operator=(const facts&) = delete;

  const core::program& core;
  const loop_limit limit;
  std::vector<std::string> texts;  // each one once, in their order
  std::vector<std::int64_t> text_numbers;  // in there, of the program's texts
  // Definitions without parameters: elements of the structure that holds all of them.
  std::unordered_map<const core::function*, std::int64_t> globals;

  const kernel& kernel_of(const core::function& f) const { return *kernels_[f.number]; }
  // Whether it is a loop to which the limit applies: none of its rounds is seen to need later ones.
  bool is_limited(const core::function& f) const {
    return limit.rounds != 0 && is_limited_[f.number];
  }
  // Whether it uses such a definition, or calls a function that does.
  bool needs_globals(const core::function& f) const { return needs_globals_[f.number]; }
  // Whether it is a loop, or calls a function that has one.
  bool has_loop(const core::function& f) const { return has_loop_[f.number]; }
  const call_trees& trees() const { return *trees_; }

 private:
  void sort_texts();
  void find_kernels();
  void find_limited();
  void find_uses();

  std::vector<std::optional<kernel>> kernels_;  // these are by the functions' numbers
  std::vector<bool> is_limited_, needs_globals_, has_loop_;
  std::optional<call_trees> trees_;
};

}  // namespace idc::graph

#endif
