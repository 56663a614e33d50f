// SPDX-License-Identifier: Apache-2.0
// Initializers: `{...}` is read as a tree, then given its type and its conversions.
#ifndef SPLITCC_SEMANTICS_INITIALIZERS_HPP
#define SPLITCC_SEMANTICS_INITIALIZERS_HPP

#include <span>

#include "languages/splitc/compiler/semantics/assignable.hpp"

namespace splitcc {

class initializer_rules : private assignment_rules {
 public:
  using assignment_rules::assignment_rules;

  node* initializer(token_range r, std::span<node* const> items);
  node* designation(token_range r, std::span<node* const> designators, node* value);
  node* designator_index(token_range r, node* first, node* last);  // last: or null
  node* designator_member(token_range r, identifier* name);
  // Types the initializer for an object of `t`; returns t, completed if it was `T[]`.
  qualified_type initialize_type(qualified_type t, node*& initializer, bool is_static);
};

}  // namespace splitcc

#endif
