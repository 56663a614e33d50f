// SPDX-License-Identifier: Apache-2.0
// Questions that the expression functions ask of operands.
//
// An operand of the type `error` is unknown rather than wrong: its fault was reported, or it comes
// from a built-in function that only the C compiler knows. It goes with everything.
#ifndef SPLITCC_SEMANTICS_OPERANDS_HPP
#define SPLITCC_SEMANTICS_OPERANDS_HPP

#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

inline bool is_unknown(const type* t) { return t->kind == type_kind::error; }

inline node* bare(node* e) {
  while (e->kind == node_kind::parenthesized) e = e->children[0];
  return e;
}
inline const node* bare(const node* e) { return bare(const_cast<node*>(e)); }

inline bool is_global_lvalue(const node* e) { return e->is_lvalue && e->place != reach::local; }

// Of a parameter `T X[v][w]::`: a spread pointer to `T [w]::`.
inline bool is_pointer_to_rows(const type* t) {
  return t->kind == type_kind::pointer && t->view == reach::spread &&
         t->target->kind == type_kind::spread_array;
}

// The entity that the expression names; null if it is another expression.
inline entity* named_by(const node* e) {
  e = bare(e);
  return e->kind == node_kind::name ? e->referred : nullptr;
}

// The object that an lvalue is a part of; null if it is reached by a pointer.
entity* object_of(node* e);

// Where a value is converted as if by assignment, for the words of the messages.
struct assigned_as {
  enum class use : std::uint8_t { assignment, initialization, return_, argument, quiet };
  use as = use::assignment;
  token_index at = kNoToken;       // kNoToken: the value's
  const node* function = nullptr;  // of arguments
  std::size_t position = 0;        // of arguments, from 1
};

enum class mismatch : std::uint8_t {
  types,
  pointers,
  pointer_from_integer,
  integer_from_pointer,
  qualifiers,
  processor,
};

}  // namespace splitcc

#endif
