// SPDX-License-Identifier: Apache-2.0
// Graphs in files, plain or gzip: Matrix Market coordinate files, graphs of METIS, and lists of
// edges. Direction does not count.
//
// A file whose first line is a header of Matrix Market is one. A file NAME.graph or NAME.metis
// (also .gz) is of METIS, and so is another file that is no list of edges, or whose first number
// counts the lines below it, if it is right as one of METIS. Vertices of Matrix Market and METIS
// are numbered from 0 here, which is 1 in the file.
#pragma once

#include <string>

#include "edge_share.hpp"

namespace graph {

// The rank-th of `ranks` shares; every rank reads the whole file. Throws measured::failure, with
// the line, for what is not as it must be. Rank 0 prints a note on stderr for what is assumed.
// `keeps_lengths`: the third words of a list, the values of a matrix and the weights of a METIS
// file are the lengths of the edges; one that is negative or not finite is an error, and so are the
// values of a complex or skew-symmetric matrix.
edge_share share_of(const std::string& path, int rank, int ranks, bool keeps_lengths = false);

}  // namespace graph
