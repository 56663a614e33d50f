// SPDX-License-Identifier: Apache-2.0
// sizeof, _Alignof and offsetof.
#ifndef SPLITCC_SEMANTICS_SIZES_HPP
#define SPLITCC_SEMANTICS_SIZES_HPP

#include <span>

#include "languages/splitc/compiler/semantics/operand_rules.hpp"

namespace splitcc {

class size_rules : private operand_rules {
 public:
  using operand_rules::operand_rules;

  node* size_of_expression(token_range r, node* e, bool alignment);
  node* size_of_type(token_range r, written_type* of, bool alignment);
  node* offset_of(token_range r, written_type* of, std::span<node* const> designators);

 private:
  bool is_measurable(token_index at, const type* t, bool alignment);
};

}  // namespace splitcc

#endif
