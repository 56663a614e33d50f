// SPDX-License-Identifier: Apache-2.0
// Making a global lvalue that is known to be one's own a plain one.
#ifndef SPLITCC_OPTIMISE_OWN_HPP
#define SPLITCC_OPTIMISE_OWN_HPP

#include "languages/splitc/compiler/optimise/trees.hpp"

namespace splitcc {

// Finds lvalues for `find` below `root` and makes them local: `find` returns a local lvalue for an
// lvalue that is one's own, null for others. What contains them - members, elements - becomes local
// too; their addresses become global pointers to one's own memory. Targets of stores (:-) stay as
// they are: they are counted. So does what stands in loops that are not counted: such a loop may
// wait for what others write, and plain memory need not be read anew. Returns how many were found.
int make_local(node*& root, const pass& p, const std::function<node*(node*)>& find);

}  // namespace splitcc

#endif
