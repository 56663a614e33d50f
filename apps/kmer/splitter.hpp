// SPDX-License-Identifier: Apache-2.0
// Cuts runs of bases into super-k-mers: stretches of k-mers of one bin.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "letters.hpp"

namespace kmer {

class splitter {
 public:
  // Gets a stretch: its bin, its first base and the number of k-mers, <= super_kmer::kNumberMax.
  using sink = std::function<void(std::uint32_t bin, const std::uint8_t* codes, unsigned number)>;

  splitter(unsigned k, std::uint32_t bins);

  void split(const run_batch& batch, const sink& s);

  // The bin of one k-mer, given as its bases.
  std::uint32_t bin_of(const std::uint8_t* codes);

 private:
  void find_minimizers(const std::uint8_t* codes, std::size_t letters);

  unsigned k_, m_;
  std::uint32_t bins_;
  std::vector<std::uint32_t> ranks_;  // of the m-mers; then, of each k-mer's least one
};

}  // namespace kmer
