// SPDX-License-Identifier: Apache-2.0
// Groups of what needs each other: definitions, functions.
#ifndef FRONTEND_GROUPS_HPP
#define FRONTEND_GROUPS_HPP

#include <vector>

namespace frontend {

// needs[i]: what i needs. The strongly connected components, each behind all that it needs.
std::vector<std::vector<int>> groups_of(const std::vector<std::vector<int>>& needs);

}  // namespace frontend

#endif
