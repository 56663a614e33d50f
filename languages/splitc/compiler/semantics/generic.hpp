// SPDX-License-Identifier: Apache-2.0
// Expressions that select by type or constant, and GNU's that take a type.
#ifndef SPLITCC_SEMANTICS_GENERIC_HPP
#define SPLITCC_SEMANTICS_GENERIC_HPP

#include <span>

#include "languages/splitc/compiler/semantics/operand_rules.hpp"

namespace splitcc {

struct generic_choice {
  written_type* type;  // null: default
  node* e;
  token_range r;
};

class selection_rules : private operand_rules {
 public:
  using operand_rules::operand_rules;

  node* generic(token_range r, node* control, std::span<const generic_choice> choices);
  node* choose(token_range r, node* condition, node* a, node* b);
  node* types_compatible(token_range r, written_type* a, written_type* b);
  node* statement_expression(token_range r, node* compound);
  node* va_arg(token_range r, node* list, written_type* of);
  node* convert_vector(token_range r, node* e, written_type* to);
  node* type_as_argument(token_range r, written_type* of);

 private:
  void take_over(node* selection, const node* chosen);  // its type, value, place
};

}  // namespace splitcc

#endif
