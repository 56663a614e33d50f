// SPDX-License-Identifier: Apache-2.0
// C = A B by an agenda. B is in the memory of every rank before the start, A and C are at the
// master, the rows are the items. (SCALE Suite 1997, section 5, Figure 15.)
//
//   master   hands out rows of A ................ computes rows itself, in place, between requests
//   slave    asks -> gets rows of A -> computes -> puts rows of C -> asks; several times at once
//
// Numbers are small whole ones, so that the product is exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "../measured/matrix_entries.hpp"
#include "kernel.hpp"

namespace agenda_matmul {

// How the work is divided.
struct division {
  std::size_t granularity = 1;
  unsigned concurrency = 1;  // at each rank that works
  int ranks = 1;             // that work: the first ones
};

// The two matrices at the master, in its segment.
struct matrices {
  ramjet::global_ptr<double> a, c;
};
// Collective. Null if there is no room; it stays until the job ends.
matrices make_room(std::size_t numbers);

class product {
 public:
  // Collective. `room` is for n x n numbers, or more.
  product(std::size_t n, const measured::matrix_entries& e, const matrices& room, kernel by);

  // Collective.
  void multiply(const division& d);
  // The master by itself, in one piece; the others return at once.
  void multiply_alone();

  // At the master; elsewhere they do nothing, and return 0.
  void clear();
  // Rows of C that are not those of the product: C x is compared with A (B x) for vectors x of
  // whole numbers below 2^20. A wrong row passes by chance with a probability of at most 2^-40.
  std::uint64_t wrong_rows() const;
  std::uint64_t checksum() const;

 private:
  // Rows of A that came here, and those of C that go back; one for each thread under way.
  struct rows {
    std::vector<double> a, c;
  };
  void compute_here(std::size_t first, std::size_t last);
  void compute_for_master(std::size_t first, std::size_t last);

  std::size_t n_;
  matrices at_;
  kernel by_;
  std::vector<double> b_;
  std::vector<rows> spare_;  // that no thread uses just now
};

}  // namespace agenda_matmul
