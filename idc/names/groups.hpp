// SPDX-License-Identifier: Apache-2.0
// Groups of definitions that need each other.
#ifndef IDC_NAMES_GROUPS_HPP
#define IDC_NAMES_GROUPS_HPP

#include <vector>

namespace idc {

// needs[i]: what i needs. The strongly connected components, each behind all that it needs.
std::vector<std::vector<int>> groups_of(const std::vector<std::vector<int>>& needs);

}  // namespace idc

#endif
