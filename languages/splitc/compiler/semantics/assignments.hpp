// SPDX-License-Identifier: Apache-2.0
// Assignments of all kinds, ++ and --.
#ifndef SPLITCC_SEMANTICS_ASSIGNMENTS_HPP
#define SPLITCC_SEMANTICS_ASSIGNMENTS_HPP

#include <string_view>

#include "languages/splitc/compiler/semantics/assignable.hpp"
#include "languages/splitc/compiler/semantics/operand_pairs.hpp"

namespace splitcc {

class assignment_operators : private assignment_rules {
 public:
  explicit assignment_operators(unit_context& unit) : assignment_rules(unit), pairs_(unit) {}

  node* assignment(token_range r, punctuator op, node* left, node* right);
  node* step(node_kind kind, token_range r, punctuator op, node* e);  // ++ and --, both places
  node* postfix(token_range r, punctuator op, node* e);

 private:
  bool is_assignable(token_range r, const node* left, std::string_view verb);
  void report_read_only(token_index at, const node* left, std::string_view verb);
  node* simple_assignment(token_range r, node* left, node* right);
  node* compound_assignment(token_range r, punctuator op, node* left, node* right);
  bool is_odd_pointer_step(token_range r, punctuator op, const operand_pair& both);
  node* split_phase_assignment(token_range r, punctuator op, node* left, node* right);
  bool is_get(node* left, node* right);  // the bits arrive in the local object later

  pair_rules pairs_;
};

}  // namespace splitcc

#endif
