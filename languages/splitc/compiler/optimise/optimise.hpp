// SPDX-License-Identifier: Apache-2.0
// The passes over the typed tree; each has a flag. Why each is legal: docs/adr, the optimiser's
// page.
#ifndef SPLITCC_OPTIMISE_OPTIMISE_HPP
#define SPLITCC_OPTIMISE_OPTIMISE_HPP

#include "languages/splitc/compiler/lex/diagnostics.hpp"
#include "languages/splitc/compiler/semantics/types.hpp"
#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

struct optimise_options {
  bool own_loops = true;  // -fown-loops
  bool hoist_own_test = true;  // -fhoist-own-test
  bool reduce_addresses = true;  // -freduce-addresses
  bool pipeline_reads = true;  // -fpipeline-reads
  bool coalesce = true;  // -fcoalesce
  bool drop_barriers = true;  // -fdrop-barriers
  bool move_sync = true;  // -fmove-sync
  bool try_own = true;  // -ftry-own
  bool poll_loops = true;  // -fpoll-loops: -O0 and -fcheck leave it on
  bool report = false;  // -fopt-report: a line for each thing done, or why not
};

void optimise(node& unit, type_table& types, const token_list& tokens, diagnostics& report,
              const optimise_options& options);

}  // namespace splitcc

#endif
