// SPDX-License-Identifier: Apache-2.0
// Casts.
#ifndef SPLITCC_SEMANTICS_CASTS_HPP
#define SPLITCC_SEMANTICS_CASTS_HPP

#include "languages/splitc/compiler/semantics/operand_rules.hpp"

namespace splitcc {

class cast_rules : private operand_rules {
 public:
  using operand_rules::operand_rules;

  node* cast(token_range r, written_type* to, node* e);

 private:
  bool is_castable(token_range r, const node* e, const type* from, const type* to);
  bool is_castable_to_aggregate(token_range r, const type* from, const type* to);
  conversion conversion_of_cast(token_range r, const node* e, const type* from, const type* to);
};

}  // namespace splitcc

#endif
