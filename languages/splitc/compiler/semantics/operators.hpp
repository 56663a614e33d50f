// SPDX-License-Identifier: Apache-2.0
// Operators that neither assign nor refer: arithmetic, comparison, logic, pointer arithmetic.
#ifndef SPLITCC_SEMANTICS_OPERATORS_HPP
#define SPLITCC_SEMANTICS_OPERATORS_HPP

#include "languages/splitc/compiler/semantics/operand_pairs.hpp"

namespace splitcc {

class operator_rules : private pair_rules {
 public:
  using pair_rules::pair_rules;

  node* sign_or_complement(token_range r, punctuator op, node* e);
  node* logical_not(token_range r, node* e);
  node* real_or_imaginary(token_range r, bool imaginary, node* e);
  node* binary(token_range r, punctuator op, node* left, node* right);

 private:
  node* new_binary(token_range r, punctuator op, const type* t, const operand_pair& both);
  node* comma(token_range r, node* left, node* right);
  node* multiplicative_or_bitwise(token_range r, punctuator op, const operand_pair& both);
  node* shift(token_range r, punctuator op, const operand_pair& both);
  node* additive(token_range r, punctuator op, const operand_pair& both);
  node* pointer_step(token_range r, punctuator op, const operand_pair& both);
  node* pointer_difference(token_range r, punctuator op, operand_pair both);
  node* comparison(token_range r, punctuator op, const operand_pair& both);
  node* pointer_comparison(token_range r, punctuator op, operand_pair both);
  void check_compared(token_range r, const operand_pair& both, bool for_order);
};

}  // namespace splitcc

#endif
