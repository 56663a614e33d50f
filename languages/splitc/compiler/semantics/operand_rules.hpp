// SPDX-License-Identifier: Apache-2.0
// Operands as values: reads of global lvalues, decay, truth, null pointers, the views of pointers;
// and the values of constant expressions.
#ifndef SPLITCC_SEMANTICS_OPERAND_RULES_HPP
#define SPLITCC_SEMANTICS_OPERAND_RULES_HPP

#include <optional>
#include <string_view>

#include "languages/splitc/compiler/semantics/nodes.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

class operand_rules : public node_maker {
 public:
  using node_maker::node_maker;

  // As an rvalue: reads a global lvalue, decays arrays and functions.
  node* value_of(node* e);

  // The value of an integer constant expression (constants.cpp); reports `what` if it is not one.
  std::optional<__int128> constant_integer(node* e, std::string_view what);
  // The same in silence, where it need not be one: array bounds.
  std::optional<__int128> fold(const node* e) const;

 protected:
  // value_of() without the node that says that a local array or function decays.
  node* operand(node* e);
  const type* value_type(const node* e);  // of operand(e): decayed
  const type* pointer_to_block(const type* t);  // of a pointer to rows of blocks; others unchanged
  // A scalar that is tested: of a global or spread pointer, whether it is null.
  node* truth_of(node* e);
  bool is_null_constant(const node* e) const;  // a null pointer constant
  // A pointer or a null pointer constant, with the view of `pointer`, if it has another one.
  node* with_view(node* e, const type* pointer);
  // False: an operand that has no value; reported.
  bool has_value(const node* e);

 private:
  node* to_first_block(node* e);
  bool is_null(const node* e) const;  // a null pointer constant, or one that was cast
};

}  // namespace splitcc

#endif
