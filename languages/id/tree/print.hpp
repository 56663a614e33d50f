// SPDX-License-Identifier: Apache-2.0
#ifndef IDC_TREE_PRINT_HPP
#define IDC_TREE_PRINT_HPP

#include <string>

#include "languages/id/tree/tree.hpp"

namespace idc {

// The program as it was parsed, in Id: every operator with its operands in parentheses, one
// definition a line. Parsed and printed again it is the same.
std::string print(const program& p);

}  // namespace idc

#endif
