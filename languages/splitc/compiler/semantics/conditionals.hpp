// SPDX-License-Identifier: Apache-2.0
// `condition ? then : otherwise`.
#ifndef SPLITCC_SEMANTICS_CONDITIONALS_HPP
#define SPLITCC_SEMANTICS_CONDITIONALS_HPP

#include "languages/splitc/compiler/semantics/operand_pairs.hpp"

namespace splitcc {

class conditional_rules : private pair_rules {
 public:
  using pair_rules::pair_rules;

  node* conditional(token_range r, node* condition, node* then, node* otherwise);  // then: or null

 private:
  const type* conditional_type(token_range r, operand_pair& both);
  const type* conditional_pointers(token_range r, operand_pair& both);
  const type* conditional_mixed(token_range r, operand_pair& both);  // one is not a pointer
};

}  // namespace splitcc

#endif
