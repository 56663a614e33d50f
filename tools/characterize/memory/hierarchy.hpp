// SPDX-License-Identifier: Apache-2.0
// The memory hierarchy as this core sees it: latencies by size, stride and pages, and what follows
// from them. After the probes of Arpaci et al. 1995, section 2; reads are dependent here, as
// processors of today overlap those that are not, which is what gathers measure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/characterize/estimate.hpp"
#include "tools/characterize/infer/curve.hpp"

namespace characterize {

struct memory_plan {
  std::size_t bytes_most = std::size_t{256} << 20;  // of the largest array
  unsigned points_per_octave = 4;
  std::size_t reads = 200'000;  // in a sample
  patience each;
  std::uint64_t seed = 1;
};

struct stride_row {
  std::size_t bytes = 0;  // of the array
  curve reads, writes;  // by stride
};

struct memory_results {
  bool huge_pages = false;  // under the curve by size
  double drift = 1;  // the slowest over the fastest time of one and the same short loop
  curve by_size;  // dependent reads in random order, a cache line apart
  curve gathers;  // by size: reads of 8 bytes at random places that a list names, which overlap
  curve second_reads;  // reads in pairs, by the bytes from the first to the second
  curve one_set;  // by the number of addresses read, the first cache's size apart
  curve by_pages;  // by the number of small pages: ns more for a read on each than side by side
  curve by_page_stride;  // by the bytes between reads, of more pages than the first TLB holds
  double first_touch_ns = 0;  // of a small page: to get it and to write it
  std::vector<stride_row> strides;

  // What follows.
  std::vector<level> levels;
  std::optional<std::size_t> line_bytes;
  std::optional<unsigned> ways;  // of the first level
  std::optional<unsigned> tlb_pages;  // that are known without delay
  double tlb_miss_ns = 0;             // what a read of another page takes more
  std::optional<std::size_t> page_bytes;
};

// `part` is called with a few words and how much of the work is done, from 0 to 1.
memory_results probe_memory(const memory_plan& plan,
                            const std::function<void(const std::string& part, double done)>& part);

}  // namespace characterize
