// SPDX-License-Identifier: Apache-2.0
// Questions about operands that the emitter asks.
#ifndef SPLITCC_EMIT_PLACES_HPP
#define SPLITCC_EMIT_PLACES_HPP

#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

inline const node* bare(const node* e) {
  while (e->kind == node_kind::parenthesized) e = e->children[0];
  return e;
}

inline bool is_global(const node* e) { return e->is_lvalue && e->place != reach::local; }

// A local object whose address can be taken.
bool is_addressable(const node* e);

// An lvalue that can be written twice: no part of it does anything.
bool is_repeatable(const node* e);

// The global lvalue that an expression reads and does nothing else with; else null.
const node* only_read(const node* e);

}  // namespace splitcc

#endif
