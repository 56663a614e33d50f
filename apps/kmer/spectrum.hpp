// SPDX-License-Identifier: Apache-2.0
// How many k-mers occur how often. Every rank has one of its own k-mers; kRoot gets that of all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace kmer {

class spectrum {
 public:
  struct sums {
    std::uint64_t distinct = 0;  // k-mers
    std::uint64_t total = 0;     // occurrences
    std::uint64_t greatest = 0;  // count
  };
  // `number` k-mers occur `count` times. As a count, count_max() + 1 stands for all greater ones.
  struct part {
    std::uint64_t count;
    std::uint64_t number;
  };

  // Counts above count_max are not told apart.
  explicit spectrum(std::uint64_t count_max) : numbers_(count_max + 2) {}

  std::uint64_t count_max() const { return numbers_.size() - 2; }
  // How many k-mers occur `count` times, 0 < count <= count_max().
  std::uint64_t number(std::uint64_t count) const { return numbers_[count]; }
  // How many occur more often than count_max() times.
  std::uint64_t above() const { return numbers_.back(); }
  const sums& all() const { return sums_; }
  // What is not zero, by ascending count.
  std::vector<part> parts() const;

  // `number` more k-mers, each of which occurs `count` times.
  void add(std::uint64_t count, std::uint64_t number = 1) {
    numbers_[index_of(count)] += number;
    sums_.distinct += number;
    sums_.total += number * count;
    if (number != 0) sums_.greatest = std::max(sums_.greatest, count);
  }
  // Collective: kRoot's spectrum becomes that of all ranks together. Sends messages.
  void combine_at_root();

 private:
  std::uint64_t index_of(std::uint64_t count) const {
    return std::min<std::uint64_t>(count, numbers_.size() - 1);
  }
  void merge(std::span<const part> parts);

  std::vector<std::uint64_t> numbers_;  // by count; the last for all greater ones
  sums sums_;
};

}  // namespace kmer
