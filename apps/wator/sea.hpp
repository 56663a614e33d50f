// SPDX-License-Identifier: Apache-2.0
// The sea over all ranks: a torus in blocks of rows, in the segments, twice: ranks read what they
// need of one buffer while each writes its rows of the next half step to the other. A barrier after
// each half step stands between the last read of a buffer and the first write to it.
//
// Threads: the main program; and the co-processor, which only reads the buffer that nobody writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "cell.hpp"
#include "rules.hpp"

namespace wator {

class sea {
 public:
  // Collective. Every rank has at least one row.
  explicit sea(const rules& r);

  std::size_t first_row() const { return first_row_of(ramjet::rank()); }
  std::size_t rows() const { return first_row_of(ramjet::rank() + 1) - first_row(); }
  int owner_of(std::size_t row) const;

  // This rank's rows in the buffer that is read in half step `half`.
  cell* mine(std::uint64_t half) const;

  // A cell of another rank, by a call of a function there that is safe at a co-processor.
  cell read_by_message(std::uint64_t half, std::size_t row, std::size_t column) const;
  // The same through a global pointer.
  cell read_by_pointer(std::uint64_t half, std::size_t row, std::size_t column) const;
  // The whole sea, by rows.
  std::vector<cell> gather(std::uint64_t half) const;

 private:
  std::size_t first_row_of(int rank) const;
  std::size_t place_of(std::uint64_t half, std::size_t row, std::size_t column) const;

  rules r_;
  std::size_t rows_most_;  // of a rank
  ramjet::spread_ptr<cell> room_;  // two buffers of rows_most_ rows at each rank
};

}  // namespace wator
