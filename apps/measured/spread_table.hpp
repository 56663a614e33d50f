// SPDX-License-Identifier: Apache-2.0
// A table of words over all ranks: word i is word i / P of rank i mod P. As a program sees it, by a
// spread pointer; and by plain addresses in the mapping of all segments, which a program could use
// only where all ranks share memory: what a word costs there is the limit for the other.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ramjet/ramjet.hpp>

#include "program.hpp"

namespace measured {

using word = std::uint64_t;

// Whose a word is, and its place among that rank's words.
class word_places {
 public:
  struct place {
    std::uint32_t rank, row;
  };

  place of(std::uint32_t index) const {
    if (ranks_log_ >= 0) return {index & (ranks_ - 1), index >> ranks_log_};
    const std::uint32_t row = index / ranks_;
    return {index - row * ranks_, row};
  }

 private:
  const std::uint32_t ranks_ = static_cast<std::uint32_t>(ramjet::size());
  const int ranks_log_ =  // 2^ranks_log_ == ranks_, or -1
      std::has_single_bit(ranks_) ? std::countr_zero(ranks_) : -1;
};

// Plain addresses of the same words.
class bare_table {
 public:
  explicit bare_table(ramjet::spread_ptr<word> table) : stride_(ramjet::segment_bytes()) {
    // A segment's first byte, by the address that global pointers have for it.
    std::byte* const mine = ramjet::segment_begin(ramjet::rank());
    const std::byte* const symmetric = ramjet::global_ptr<std::byte>(mine).local();
    first_ =
        ramjet::segment_begin(0) + (reinterpret_cast<const std::byte*>(table.local()) - symmetric);
  }

  word* at(std::uint32_t index) const {
    const auto [rank, row] = places_.of(index);
    return reinterpret_cast<word*>(first_ + rank * stride_) + row;
  }

 private:
  word_places places_;
  std::size_t stride_;
  std::byte* first_ = nullptr;  // of rank 0's part
};

// Stays until the job ends.
class spread_table {
 public:
  // Collective. The words are not initialised.
  explicit spread_table(std::uint64_t words)
      : words_(words), table_(ramjet::all_spread_malloc<word>(words)) {
    if (!table_)
      throw failure(
          "no room for the table in the ranks' segments: make it smaller, or "
          "RAMJET_SEGMENT_BYTES greater");
  }

  std::uint64_t words() const { return words_; }
  ramjet::spread_ptr<word> pointer() const { return table_; }
  bare_table bare() const { return bare_table(table_); }

  // This rank's words, and which one of the whole table its k-th is.
  std::span<word> mine() const {
    const auto ranks = static_cast<std::uint64_t>(ramjet::size()),
               rank = static_cast<std::uint64_t>(ramjet::rank());
    return {table_.local(), words_ / ranks + (rank < words_ % ranks ? 1 : 0)};
  }
  static std::uint64_t index_of_mine(std::uint64_t k) {
    return k * static_cast<std::uint64_t>(ramjet::size()) +
           static_cast<std::uint64_t>(ramjet::rank());
  }

 private:
  std::uint64_t words_;
  ramjet::spread_ptr<word> table_;
};

}  // namespace measured
