// SPDX-License-Identifier: Apache-2.0
// Loops whose rounds depend on later ones, as their indices tell.
#ifndef IDC_GRAPH_LATER_ROUNDS_HPP
#define IDC_GRAPH_LATER_ROUNDS_HPP

#include <functional>

#include "languages/id/graph/kernel.hpp"

namespace idc::graph {

// Whether a round of the loop may need an element of an array that a later round fills, and so on
// from one to the next: it stores a[i] and asks for a[i + 1], and i goes up. All of the loop is
// looked at, and the loops that are in it, but no function that it calls.
bool needs_later_rounds(const kernel& loop,
                        const std::function<const kernel&(const core::function&)>& kernel_of);

}  // namespace idc::graph

#endif
