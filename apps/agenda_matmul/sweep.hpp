// SPDX-License-Identifier: Apache-2.0
// Products of several sizes, divided in several ways, measured.
#pragma once

#include <cstdint>
#include <vector>

#include "options.hpp"
#include "product.hpp"

namespace agenda_matmul {

// One way to divide a product.
struct row {
  std::size_t size = 0;
  division by;
  double seconds = 0;
  double alone_seconds = 0;  // of the kernel at one rank, which has everything

  double gflops() const;
  double speedup() const { return alone_seconds / seconds; }
};

struct findings {
  std::vector<row> rows;               // by size, then by ranks, granularity, concurrency
  std::vector<std::uint64_t> checksums;  // of C, by size
  std::uint64_t wrong_rows = 0;        // of C, in all products
};

// Collective; seconds and speed-up are the same in all ranks, what is found in C is the master's.
findings sweep(const options& o);

}  // namespace agenda_matmul
