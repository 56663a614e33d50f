// SPDX-License-Identifier: Apache-2.0
// How often each k-mer occurred: an open-addressing table of one 64-bit word a k-mer. Owned by one
// rank, used by the thread that handles its messages.
//
// A k-mer is hashed to h = kmer * kMultiplier mod 4^k, which loses nothing. The upper bits of h are
// its home slot; a word holds the rest of h and how far from home it had to go (linear probing):
//
//   63                                                                     0
//   +----------------------------+------------------+----------------------+
//   | lower remainder_bits of h  |   displacement   |  count (0: empty)    |
//   +----------------------------+------------------+----------------------+
//         2 k - slot_bits             10 bits             what is left
//
// So an update touches one cache line, whatever k is, in a table half as large as one of keys and
// counts. What a count has no bits for is set aside in a map: counts are exact to 64 bits.
//
// DRAM answers after some hundred cycles, so a k-mer is not counted when it is added: its slot is
// prefetched, and it waits in a short queue while the next ones arrive.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "word_memory.hpp"

namespace kmer {

class spectrum;

class counter_table {
 public:
  // Room for `expected` different k-mers of length k; grows when there are more.
  counter_table(unsigned k, std::uint64_t expected);

  // Counts a k-mer, some additions later.
  void add(std::uint64_t kmer) {
    const std::uint64_t hash = hash_of(kmer);
    __builtin_prefetch(words_.data() + (hash >> shape_.remainder_bits), 1);
    const std::uint64_t oldest = std::exchange(waiting_[next_], hash);
    next_ = (next_ + 1) % kWaiting;
    if (oldest != kNothing) [[likely]]
      count(oldest);
  }
  // Counts what is waiting.
  void flush();

  // The following want flush() before them.

  // Adds what was counted: how many k-mers have which count.
  void add_to(spectrum& s) const;
  // How often this k-mer was counted.
  std::uint64_t count_of(std::uint64_t kmer) const;
  std::uint64_t distinct() const { return used_; }

 private:
  static constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15;  // odd, so it has an inverse
  static constexpr std::uint64_t kNothing = ~std::uint64_t{0};  // no hash: those have 62 bits
  static constexpr std::size_t kWaiting = 16;  // power of two
  static constexpr unsigned kDisplacementBits = 10;
  static constexpr std::uint64_t kDisplacementMax = (1u << kDisplacementBits) - 1;

  // Widths of a word's fields: remainder_bits + kDisplacementBits + count_bits = 64.
  struct shape {
    unsigned slot_bits = 0;
    unsigned remainder_bits = 0;
    unsigned count_bits = 0;
    unsigned mark_shift = 0;  // of the remainder; any, if that has no bits
    std::uint64_t remainder_mask = 0;
    std::uint64_t count_mask = 0;

    shape(unsigned hash_bits, unsigned slot_bits);
    // A k-mer's word without the count, at home; step() more for each slot further.
    std::uint64_t mark_of(std::uint64_t hash) const {
      return (hash & remainder_mask) << mark_shift;
    }
    std::uint64_t step() const { return std::uint64_t{1} << count_bits; }
    std::uint64_t hash_at(std::uint64_t index, std::uint64_t word) const;
    // Every home has kDisplacementMax words behind it.
    std::uint64_t words() const { return (std::uint64_t{1} << slot_bits) + kDisplacementMax; }
    std::uint64_t used_max() const;
  };

  std::uint64_t hash_of(std::uint64_t kmer) const { return (kmer * kMultiplier) & hash_mask_; }

  void count(std::uint64_t hash) {
    std::uint64_t* slot = words_.data() + (hash >> shape_.remainder_bits);
    std::uint64_t* const last = slot + kDisplacementMax;
    std::uint64_t mark = shape_.mark_of(hash);
    for (;; ++slot, mark += shape_.step()) {
      const std::uint64_t word = *slot;
      if (word == 0) {
        *slot = mark | 1;
        if (++used_ > used_max_) [[unlikely]]
          grow_slow();
        return;
      }
      if ((word ^ mark) >> shape_.count_bits == 0) {
        if ((~word & shape_.count_mask) == 0) [[unlikely]]
          return set_aside_slow(*slot, hash);
        *slot = word + 1;
        return;
      }
      if (slot == last) [[unlikely]]
        return count_after_growth_slow(hash);
    }
  }

  void grow_slow();
  bool refill_from(const shape& old_shape, const word_memory& old_words);
  void count_after_growth_slow(std::uint64_t hash);
  void set_aside_slow(std::uint64_t& word, std::uint64_t hash);
  std::uint64_t count_in_words(std::uint64_t hash) const;

  unsigned hash_bits_;
  std::uint64_t hash_mask_;
  shape shape_;
  word_memory words_;  // shape_.words() of them
  std::uint64_t used_max_;  // used_ <= used_max_ outside count()
  std::uint64_t used_ = 0;  // words that are not 0
  std::size_t next_ = 0;  // the oldest in waiting_
  std::array<std::uint64_t, kWaiting> waiting_;  // hashes, or kNothing

  // By hash: a k-mer's count is the one in its word and the one in here.
  std::unordered_map<std::uint64_t, std::uint64_t> set_aside_;
};

}  // namespace kmer
