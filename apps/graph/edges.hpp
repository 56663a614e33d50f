// SPDX-License-Identifier: Apache-2.0
// Undirected edges, of which each rank holds some.
#pragma once

#include <cstdint>
#include <vector>

namespace graph {

using vertex = std::uint32_t;

inline constexpr vertex kNoVertex = UINT32_MAX;
inline constexpr std::uint64_t kVerticesMax = kNoVertex;

struct edge {
  vertex a, b;
};

}  // namespace graph
