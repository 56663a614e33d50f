// SPDX-License-Identifier: Apache-2.0
// The passes, in the order in which they run, each over one function.
#ifndef SPLITCC_OPTIMISE_PASSES_HPP
#define SPLITCC_OPTIMISE_PASSES_HPP

#include "languages/splitc/compiler/optimise/loops.hpp"
#include "languages/splitc/compiler/optimise/own.hpp"
#include "languages/splitc/compiler/optimise/trees.hpp"

namespace splitcc {

void poll_loops(node& function, const pass& p);
void drop_barriers(node& function, const pass& p);
void move_sync(node& function, const pass& p);
void coalesce(node& function, const pass& p);
void own_loops(node& function, const pass& p);
void hoist_own_test(node& function, const pass& p);
void pipeline_reads(node& function, const pass& p);
void pipeline_expressions(node& function, const pass& p);
void reduce_addresses(node& function, const pass& p);
void try_own(node& function, const pass& p);

// A function of this unit alone, in plain C, that calls nothing: no access, and nothing that others
// could ask for while it runs.
bool only_computes(const node& function);

}  // namespace splitcc

#endif
