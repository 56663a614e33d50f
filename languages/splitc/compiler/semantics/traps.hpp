// SPDX-License-Identifier: Apache-2.0
// Warnings of the language's own traps, from the finished tree of a unit:
//   -Wget-before-sync       the target of a get is read before sync()
//   -Wcollective-condition  a collective is called, or an automatic spread array declared, under a
//                           condition on MYPROC
//   -Wstore-credit          stores are made, and nothing ever waits for stores
//   -Wstore-sync            store_sync() waits, and nothing ever stores
//   -Wlocal-pointer-sent    a local pointer is written to where another processor owns the memory
// (A processor that an implied conversion drops is reported where it is converted:
// -Wdropped-processor.) Each would rather miss a mistake than accuse a correct program.
#ifndef SPLITCC_SEMANTICS_TRAPS_HPP
#define SPLITCC_SEMANTICS_TRAPS_HPP

#include "languages/splitc/compiler/lex/diagnostics.hpp"
#include "languages/splitc/compiler/semantics/evaluated.hpp"
#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

void warn_of_traps(const node& unit, const token_list& tokens, diagnostics& report);

// Its parts, one for each trap, called for each function's definition or for the unit.
void warn_of_early_reads(const node& function, const token_list& tokens, diagnostics& report);
void warn_of_lonely_collectives(const node& function, diagnostics& report);
void warn_of_forgotten_stores(const node& unit, const token_list& tokens, diagnostics& report);
void warn_of_sent_pointers(const node& function, diagnostics& report);

// The entity that is called by name; null otherwise.
inline const entity* callee(const node& call) {
  const node* f = call.children[0];
  while (f->kind == node_kind::parenthesized || f->kind == node_kind::convert) f = f->children[0];
  return f->kind == node_kind::name ? f->referred : nullptr;
}

}  // namespace splitcc

#endif
