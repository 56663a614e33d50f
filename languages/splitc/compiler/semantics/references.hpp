// SPDX-License-Identifier: Apache-2.0
// From pointers to objects and back: *, &, subscripts, members, addresses of labels.
#ifndef SPLITCC_SEMANTICS_REFERENCES_HPP
#define SPLITCC_SEMANTICS_REFERENCES_HPP

#include <initializer_list>
#include <vector>

#include "languages/splitc/compiler/semantics/operand_rules.hpp"

namespace splitcc {

class reference_rules : private operand_rules {
 public:
  using operand_rules::operand_rules;

  node* dereference(token_range r, node* e);
  node* address_of(token_range r, node* e);
  node* index(token_range r, node* array, node* subscript);
  node* member_of(token_range r, node* object, identifier* name, bool arrow);
  node* label_address(token_range r, label_target* target);

 private:
  bool has_address(const node* e);
  node* new_reference(node_kind kind, token_range r, const type* pointer, qualified_type t,
                      std::initializer_list<node*> children);
  node* element_of_vector(token_range r, node* vector, node* subscript);
  node* index_spread(token_range r, node* array, node* subscript);
  bool is_subscript(const node* subscript);
  const record* record_of(const node* object, const identifier* name, bool arrow);

  std::vector<const member*> member_path_;  // used again for each `.` and `->`
};

}  // namespace splitcc

#endif
