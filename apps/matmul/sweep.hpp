// SPDX-License-Identifier: Apache-2.0
// Products of several shapes, measured: the whole program, and its two parts by themselves, which
// are the parameters of the model.
//
// The model. (von Eicken et al. 1992, section 1.1.) For each column of A that a rank fetches, it
// computes n m multiply-adds of t_ma each. Of the get's latency L the processor is busy with the
// get itself for o, and computes in the rest:
//
//   time a column = max(n m t_ma + o, L)      utilisation = n m t_ma / time a column
//
// Where all ranks share memory, it is the processor that copies: o = L = the time of a get.
#pragma once

#include <cstdint>
#include <vector>

#include "multiplying.hpp"
#include "options.hpp"

namespace matmul {

struct row {
  shape of;
  double seconds = 0;      // of the whole program
  double multiply_add_ns = 0;  // t_ma, in the rank-1 updates by themselves
  double get_ns = 0;       // o and L, of a column, by itself
  std::uint64_t wrong = 0;  // numbers of C, in all turns and ranks
  std::uint64_t checksum = 0;  // of C

  double gflops() const;  // by each rank
  double utilisation() const;
  double utilisation_by_model() const;
  // Of the whole time, what gets would take by themselves: the figure's network utilisation.
  double get_share() const;
  double get_share_by_model() const;

 private:
  double compute_ns() const;  // for a column of A
  double ns() const;          // the same, with all that happens
};

// Collective; the same result in all ranks.
std::vector<row> sweep(const options& o);

}  // namespace matmul
