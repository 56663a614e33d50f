// SPDX-License-Identifier: Apache-2.0
// Sorting within one rank, in the caches: keys are first put into buckets by the place of their
// highest bits in the range of all keys, then each bucket is sorted by the 20 bits below and what
// is left of disorder after that.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lines.hpp"

namespace keysort {

struct key_range {
  key least = UINT64_MAX, most = 0;
};

// Of all keys. Several minima and maxima side by side: a comparison does not wait for the one
// before.
inline key_range range_of(std::span<const key> keys) {
  constexpr std::size_t kSide = 4;
  std::array<key_range, kSide> ranges;
  const auto extend = [](key_range& r, key k) {
    r.least = std::min(r.least, k);
    r.most = std::max(r.most, k);
  };
  std::size_t k = 0;
  for (; k + kSide <= keys.size(); k += kSide)
    for (std::size_t side = 0; side < kSide; ++side) extend(ranges[side], keys[k + side]);
  for (; k < keys.size(); ++k) extend(ranges[0], keys[k]);
  for (const key_range& r : ranges) {
    ranges[0].least = std::min(ranges[0].least, r.least);
    ranges[0].most = std::max(ranges[0].most, r.most);
  }
  return ranges[0];
}

// Which bucket a key is in. Buckets are in the order of their keys.
class bucketing {
 public:
  static constexpr std::size_t kBuckets = 4096;
  static constexpr int kBits = std::countr_zero(kBuckets);

  explicit bucketing(key_range r)
      : least_(r.least),
        shift_(std::max(static_cast<int>(std::bit_width(r.most - r.least)), kBits) - kBits) {}

  std::size_t bucket_of(key k) const { return (k - least_) >> shift_; }
  // Bits of k - least that the bucket does not tell.
  int low_bits() const { return shift_; }
  key least() const { return least_; }

 private:
  key least_;
  int shift_;
};

// Sorts buckets one after another.
class bucket_sorter {
 public:
  explicit bucket_sorter(const bucketing& b) : buckets_(b) {}

  // The keys of one bucket.
  void sort(std::span<key> keys) {
    if (keys.size() < kFew) return std::sort(keys.begin(), keys.end());
    scratch_.resize(std::max(scratch_.size(), keys.size()));
    const int above = std::max(buckets_.low_bits() - kBits, 0);
    const std::span<key> other(scratch_.data(), keys.size());
    place low(buckets_.least(), above), high(buckets_.least(), above + kBits / 2);
    for (const key k : keys) {
      low.count(k);
      high.count(k);
    }
    low.put(keys, other);
    high.put(other, keys);
    if (above > 0) sort_equal_runs(keys, above);
  }

 private:
  static constexpr int kBits = 20;  // in two digits: few keys agree in all of them
  static constexpr std::size_t kFew = 256;

  // One pass of a radix sort from the lowest digit on: the place of the next key of each value.
  class place {
   public:
    place(key least, int shift) : least_(least), shift_(shift) {}

    // Each key, before any is put.
    void count(key k) { ++next_[digit(k)]; }
    void put(std::span<const key> from, std::span<key> to) {
      std::uint32_t begin = 0;
      for (std::uint32_t& n : next_) begin += std::exchange(n, begin);
      for (const key k : from) to[next_[digit(k)]++] = k;
    }

   private:
    static constexpr std::size_t kValues = std::size_t{1} << (kBits / 2);

    std::size_t digit(key k) const { return ((k - least_) >> shift_) & (kValues - 1); }

    key least_;
    int shift_;
    std::array<std::uint32_t, kValues> next_{};
  };

  // Keys that agree in all bits from `above` on stand side by side, most often alone.
  void sort_equal_runs(std::span<key> keys, int above) const {
    const key least = buckets_.least();
    for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
      const key high = (keys[begin] - least) >> above;
      for (end = begin + 1; end < keys.size() && (keys[end] - least) >> above == high;) ++end;
      if (end - begin > 1) std::sort(keys.data() + begin, keys.data() + end);
    }
  }

  bucketing buckets_;
  std::vector<key> scratch_;
};

}  // namespace keysort
