// SPDX-License-Identifier: Apache-2.0
// How many k-mers occur how often. Every rank has one of its own k-mers; kRoot gets that of all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
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
  explicit spectrum(std::uint64_t count_max)
      : count_max_(count_max), small_(std::min(count_max + 2, kSmallCounts)) {}

  std::uint64_t count_max() const { return count_max_; }
  // How many k-mers occur `count` times, 0 < count <= count_max().
  std::uint64_t number(std::uint64_t count) const;
  // How many occur more often than count_max() times.
  std::uint64_t above() const { return number(count_max_ + 1); }
  const sums& all() const { return sums_; }
  // What is not zero, by ascending count.
  std::vector<part> parts() const;

  // `number` more k-mers, each of which occurs `count` times.
  void add(std::uint64_t count, std::uint64_t number = 1) {
    number_of(count) += number;
    sums_.distinct += number;
    sums_.total += number * count;
    if (number != 0) sums_.greatest = std::max(sums_.greatest, count);
  }
  // Collective: kRoot's spectrum becomes that of all ranks together. Sends messages.
  void combine_at_root();

 private:
  static constexpr std::uint64_t kSmallCounts = 16384;

  std::uint64_t& number_of(std::uint64_t count) {
    const std::uint64_t told = std::min(count, count_max_ + 1);
    return told < small_.size() ? small_[told] : great_[told];
  }
  void merge(std::span<const part> parts);

  // Both by count, where count_max_ + 1 stands for all greater ones. There are few different counts
  // in great_, however great count_max_ is: n of them have more than n * n / 2 k-mers.
  std::uint64_t count_max_;
  std::vector<std::uint64_t> small_;
  std::map<std::uint64_t, std::uint64_t> great_;
  sums sums_;
};

}  // namespace kmer
