// SPDX-License-Identifier: Apache-2.0
// Graphs in the format of METIS: a line "VERTICES EDGES [FORMAT [WEIGHTS]]", then a line of
// neighbours for each vertex, which are numbered from 1. Lines that begin with % are comments. The
// format says by its digits whether a vertex has a size and weights before its neighbours, and
// whether a weight follows each neighbour. (Karypis, METIS 5, section 4.1.1.)
#pragma once

#include "dealing.hpp"
#include "text_lines.hpp"

namespace graph {

// Longer lines are errors: the neighbours of one vertex stand in one.
inline constexpr std::size_t kMetisLineBytesMax = std::size_t{1} << 30;

// Deals each edge once. Throws measured::failure, with the line, where the file is not one of
// METIS: also where its vertices, or edges, are not as many as it says, and where an edge is
// missing at one of its ends.
void read_metis(text_lines& lines, dealing& deal);

}  // namespace graph
