// SPDX-License-Identifier: Apache-2.0
// C = A B, with A of n x R, B of R x M and C of n x M numbers, all in blocks of columns over the P
// ranks: rank r has columns r R/P to (r + 1) R/P of A, and its m of the M = m P columns of B and C.
// (von Eicken et al. 1992, Active Messages, section 2.3 and Figure 4.)
//
//         R              M                M
//    +---+---+---+    +--+--+--+       +--+--+--+
//  n | 0 | 1 | 2 |  R | 0| 1| 2|  = n  | 0| 1| 2|     each rank fetches all columns of A, one by
//    +---+---+---+    |  |  |  |       +--+--+--+     one, and has what it needs of B and C
//                     +--+--+--+
//
// A lies in the segments; B and C are the rank's own. Numbers are small whole ones, so that the
// product is exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "../measured/matrix_entries.hpp"

namespace matmul {

struct shape {
  std::size_t n = 0;  // rows of A and of C
  std::size_t terms = 0;  // R, a multiple of the ranks
  std::size_t columns = 0;  // m, at each rank
};

// Room for A in the ranks' segments.
using room_for_a = ramjet::spread_ptr<double>;

class product {
 public:
  // `room` holds n R / P numbers at each rank. Other ranks may use A after a barrier.
  product(const shape& s, const measured::matrix_entries& e, room_for_a room);

  // The program of the figure. C is to be clear before.
  void multiply();
  // Its two parts by themselves: the rank-1 updates with two columns by turns, and the gets.
  void compute_only();
  void get_only();

  void clear();
  // This rank's numbers of C that are not those of a serial product in whole numbers.
  std::uint64_t wrong() const;
  // Over this rank's numbers of C; the sum over the ranks is that of all.
  std::uint64_t checksum() const;

 private:
  // A whole column of A, wherever it is.
  ramjet::global_ptr<const double> column_of_a(std::size_t j) const;
  void fetch(std::vector<double>& into, std::size_t j) const;
  void add_rank_1_update(const std::vector<double>& column, std::size_t j);
  std::vector<double> serial_product(const measured::matrix_entries& e) const;
  std::size_t terms_per_rank() const;
  std::size_t first_column() const;

  shape s_;
  room_for_a a_;
  std::vector<double> b_, c_;  // b_[k * terms + j], c_[k * n + i] for this rank's k-th column
  std::vector<double> expected_;  // of c_
  std::vector<double> current_, next_;  // columns of A
};

}  // namespace matmul
