// SPDX-License-Identifier: Apache-2.0
// How many k-mers occur how often. Each rank has one of its own k-mers; rank 0's becomes that of all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kmer {

class spectrum {
 public:
  // Counts above count_max are told apart no more.
  explicit spectrum(std::uint64_t count_max) : numbers_(count_max + 2) {}

  std::uint64_t count_max() const { return numbers_.size() - 2; }
  // How many k-mers occur `count` times, 1 <= count <= count_max().
  std::uint64_t number(std::uint64_t count) const { return numbers_[count]; }
  // How many occur more often.
  std::uint64_t above() const { return numbers_.back(); }
  std::uint64_t distinct() const { return distinct_; }
  std::uint64_t total() const { return total_; }
  // The greatest count.
  std::uint64_t greatest() const { return greatest_; }

  // One more k-mer, which occurs `count` times.
  void add(std::uint64_t count) {
    ++number_of(count);
    ++distinct_;
    total_ += count;
    greatest_ = std::max(greatest_, count);
  }
  // One of the k-mers with this count has a greater one.
  void replace(std::uint64_t count, std::uint64_t greater) {
    --number_of(count);
    --distinct_;
    total_ -= count;
    add(greater);
  }

  // Collective: adds the spectra of all other ranks to that of rank 0, by messages.
  void combine_at_root();

 private:
  static void on_numbers(struct number_batch batch);

  std::uint64_t& number_of(std::uint64_t count) {
    return numbers_[std::min(count, numbers_.size() - 1)];
  }
  void send_numbers() const;

  std::vector<std::uint64_t> numbers_;  // by count; the last for all above
  std::uint64_t distinct_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t greatest_ = 0;
};

}  // namespace kmer
