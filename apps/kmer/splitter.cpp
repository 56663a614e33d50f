// SPDX-License-Identifier: Apache-2.0
#include "splitter.hpp"

#include <algorithm>

#include "key.hpp"
#include "minimizer.hpp"
#include "super_kmer.hpp"

namespace kmer {
namespace {

// The places of all m-mers of these letters.
__attribute__((target_clones("avx2", "default"))) void rank_mmers(const std::uint8_t* codes,
                                                                  std::size_t mmers, unsigned m,
                                                                  std::uint32_t* ranks) {
  constexpr std::size_t kBlock = 512;
  const std::uint32_t top = 2 * (m - 1);
  for (std::size_t begin = 0; begin < mmers; begin += kBlock) {
    const std::size_t count = std::min(kBlock, mmers - begin);
    std::uint32_t forward[kBlock] = {}, reverse[kBlock] = {};
    for (unsigned j = 0; j < m; ++j) {
      const std::uint8_t* letter = codes + begin + j;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t code = letter[i];
        forward[i] = forward[i] << 2 | code;
        reverse[i] = reverse[i] >> 2 | (3 - code) << top;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      ranks[begin + i] = rank_of_mmer(std::min(forward[i], reverse[i]));
    }
  }
}

// all[i] becomes the least of all[i .. i + width), for i < count. Twice as wide with each pass.
__attribute__((target_clones("avx2", "default"))) void slide_minimum(std::uint32_t* all,
                                                                     std::size_t count,
                                                                     std::size_t width) {
  std::size_t done = 1;
  std::size_t whole = count + width - 1;
  const auto pass = [&](std::size_t by) {
    whole -= by;
    for (std::size_t i = 0; i < whole; ++i) all[i] = std::min(all[i], all[i + by]);
    done += by;
  };
  while (2 * done <= width) pass(done);
  if (done < width) pass(width - done);
}

}  // namespace

splitter::splitter(unsigned k, std::uint32_t bins) : k_(k), m_(minimizer_length(k)), bins_(bins) {}

void splitter::find_minimizers(const std::uint8_t* codes, std::size_t letters) {
  const std::size_t mmers = letters - m_ + 1;
  if (ranks_.size() < mmers) ranks_.resize(mmers);
  rank_mmers(codes, mmers, m_, ranks_.data());
  slide_minimum(ranks_.data(), letters - k_ + 1, k_ - m_ + 1);
}

void splitter::split(const run_batch& batch, const sink& s) {
  const std::uint8_t* codes = batch.codes.data();
  for (const std::uint32_t letters : batch.lengths) {
    find_minimizers(codes, letters);
    const std::size_t kmers = letters - k_ + 1;
    for (std::size_t i = 0; i < kmers;) {
      const std::uint32_t rank = ranks_[i];
      const std::size_t most = std::min<std::size_t>(kmers, i + super_kmer::kNumberMax);
      std::size_t end = i + 1;
      while (end < most && ranks_[end] == rank) ++end;
      s(bin_of_rank(rank, bins_), codes + i, static_cast<unsigned>(end - i));
      i = end;
    }
    codes += letters;
  }
}

std::uint32_t splitter::bin_of(const std::uint8_t* codes) {
  find_minimizers(codes, k_);
  return bin_of_rank(ranks_[0], bins_);
}

}  // namespace kmer
