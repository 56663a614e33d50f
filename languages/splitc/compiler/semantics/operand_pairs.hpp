// SPDX-License-Identifier: Apache-2.0
// The two operands of an operator: their common type, the common view of two pointers, vectors.
#ifndef SPLITCC_SEMANTICS_OPERAND_PAIRS_HPP
#define SPLITCC_SEMANTICS_OPERAND_PAIRS_HPP

#include "languages/splitc/compiler/semantics/operand_rules.hpp"

namespace splitcc {

struct operand_pair {
  node *left, *right;
  const type *left_type, *right_type;  // decayed
};

class pair_rules : public operand_rules {
 public:
  using operand_rules::operand_rules;

  const type* arithmetic_type(const operand_pair& both);  // usual arithmetic conversions
  const type* vector_type(punctuator op, const operand_pair& both);  // null: they do not match
  const type* signed_vector(const type* vector);
  bool to_common_view(operand_pair& both);  // whether it is global or spread
  bool has_size(const node* e, const type* pointer);  // what it points to; reported
  node* invalid_operands(token_range r, punctuator op, const operand_pair& both);  // reports them

 private:
  bool is_element(const node* e, const type* number, const type* element) const;
};

}  // namespace splitcc

#endif
