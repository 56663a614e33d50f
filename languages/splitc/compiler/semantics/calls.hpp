// SPDX-License-Identifier: Apache-2.0
// Calls of functions, of the library's that have rules of their own, and of built-in functions.
#ifndef SPLITCC_SEMANTICS_CALLS_HPP
#define SPLITCC_SEMANTICS_CALLS_HPP

#include <span>
#include <vector>

#include "languages/splitc/compiler/semantics/assignable.hpp"

namespace splitcc {

class call_rules : private assignment_rules {
 public:
  using assignment_rules::assignment_rules;

  node* call(token_range r, node* function, std::span<node* const> arguments);

 private:
  node* new_call(token_range r, qualified_type t, node* f, std::span<node* const> arguments);
  bool is_count_right(token_range r, const node* f, const type* t, std::size_t count);
  node* passed(node* argument, const type* f, const node* name, std::size_t position);
  node* default_promoted(node* argument);
  // library_calls.cpp
  node* call_of_library(token_range r, node* f, std::span<node* const> arguments);
  node* to_local_call(token_range r, node* f, std::span<node* const> arguments);
  node* to_global_call(token_range r, node* f, std::span<node* const> arguments);
  node* atomic_call(token_range r, node* f, std::span<node* const> arguments);
  // builtin_calls.cpp
  node* call_of_builtin(token_range r, node* f, std::span<node* const> arguments);
  void check_atomic_operand(const node* f, const node* operand);
  const type* builtin_result(const entity& e, std::span<node* const> arguments);

  std::vector<node*> call_children_;  // used again for each call
};

}  // namespace splitcc

#endif
