// SPDX-License-Identifier: Apache-2.0
// A program as text: in the notation (the canonical form, from which the assembler makes the same
// program), and as a graph for Graphviz.
#ifndef TL0_PRINT_PRINT_HPP
#define TL0_PRINT_PRINT_HPP

#include <string>

#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

std::string print(const program& p);

// Inlets and threads of each code block, and who gives whom an entry.
std::string dot(const program& p);

}  // namespace tl0

#endif
