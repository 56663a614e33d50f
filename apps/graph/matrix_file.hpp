// SPDX-License-Identifier: Apache-2.0
// Sparse matrices in Matrix Market files, plain or gzip. Values do not count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "edges.hpp"

namespace graph {

struct entry {
  vertex row, column;
};

// What one rank has of the entries of a matrix.
struct matrix_share {
  std::uint64_t rows = 0, columns = 0;  // of the matrix
  std::vector<entry> mine;
};

// The rank-th of `ranks` shares; every rank reads the whole file. Of a matrix with a symmetry both
// halves are dealt. Throws measured::failure for what is not as it must be. Rank 0 prints a note on
// stderr for what is assumed.
matrix_share matrix_share_of(const std::string& path, int rank, int ranks);

}  // namespace graph
