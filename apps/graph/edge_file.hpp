// SPDX-License-Identifier: Apache-2.0
// Graphs in files, plain or gzip: Matrix Market coordinate files, whose first line says so, and
// lists of edges, a line "FROM TO" for each with vertices from 0, what follows on the line being
// ignored. Lines that begin with # or % are comments there. Direction and values do not count.
#pragma once

#include <string>

#include "edges.hpp"

namespace graph {

// The rank-th of `ranks` shares; every rank reads the whole file. Throws measured::failure, with
// the line, for what is not as it must be.
edge_share share_of(const std::string& path, int rank, int ranks);

}  // namespace graph
