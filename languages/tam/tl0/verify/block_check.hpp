// SPDX-License-Identifier: Apache-2.0
// The checks of one code block (verify.hpp says what holds).
#ifndef TL0_VERIFY_BLOCK_CHECK_HPP
#define TL0_VERIFY_BLOCK_CHECK_HPP

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "languages/support/messages.hpp"
#include "languages/tam/tl0/verify/conditions.hpp"
#include "languages/tam/tl0/verify/graph.hpp"

namespace tl0 {

class block_check {
 public:
  // `numbers`: its own for the time.
  block_check(const program& p, index block, conditions& numbers, frontend::messages& report);

  void run();

 private:
  struct loop {
    index head;                  // a node
    std::vector<bool> members;   // of the nodes
    std::vector<index> agains;   // edges
    condition goes_on = 0;       // the round ends in an again
  };

  // ---- loops.cpp ----
  bool find_loops();
  void nest_loops();
  bool find_order();
  bool check_entrances();
  std::vector<bool> reached_from(index node, bool backwards) const;
  bool is_forward(index e) const { return g_.edges[e].is != edge_kind::again; }

  // ---- counts (block_check.cpp) ----
  void count(index node);
  condition fires(const edge& e) const;
  void leave_loops(index node);
  void check_sum(index node, condition sum, condition feasible, const std::string& from);
  void check_heads();
  void check_ffree();
  void check_reached();
  void number_switches(index node);
  index number_of_switch(index node, index instruction);
  bool is_written_before(index node, index slot, index instruction) const;
  bool ends_round(index thread, index node) const;

  // ---- slots.cpp ----
  void check_slots();
  void find_accesses();
  void check_slot(index slot);
  bool is_certain(index e);
  void find_certain(index node, std::vector<std::uint64_t>& certain);
  condition defined_at(index node, index slot, const std::vector<condition>& after,
                       bool early) const;
  bool writes(index node, index slot) const {
    return (written_[node * row_words_ + slot / 64] >> (slot % 64) & 1) != 0;
  }
  bool writes(index node, index slot, index before) const;
  index first_read(index node, index slot) const;
  const body& body_of(index node) const;
  bool counts_messages(index node) const;

  void error(index node, const std::string& text);
  void error_at(index instruction, const std::string& text);
  std::string example(condition where, std::uint32_t& value) const;
  std::string name(index node) const { return node_name(p_, g_, node); }

  const program& p_;
  frontend::messages& report_;
  graph g_;
  conditions& c_;
  std::vector<loop> loops_;
  std::vector<index> order_;  // nodes, each after those that give it entries
  // Of each node a row of the slots that it writes, and of those that it reads before it does.
  std::size_t row_words_ = 0;
  std::vector<std::uint64_t> written_, read_;

  std::vector<condition> edge_outcome_;  // of each edge: which outcome it needs
  std::vector<condition> runs_;          // of each node
  std::vector<condition> feasible_;      // of each node: no loop that it comes after goes on
  std::vector<index> switches_;          // instructions, by their number in conditions
  std::unordered_map<index, index> switch_of_slot_;  // numbers
};

}  // namespace tl0

#endif
