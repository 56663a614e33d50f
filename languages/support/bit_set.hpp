// SPDX-License-Identifier: Apache-2.0
// A set of small numbers.
#ifndef FRONTEND_BIT_SET_HPP
#define FRONTEND_BIT_SET_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace frontend {

class bit_set {
 public:
  void add(std::size_t i) {
    if (i / 64 >= words_.size()) words_.resize(i / 64 + 1);
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  void add_below(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(i);
  }
  void add(const bit_set& other);
  // Returns whether it was there.
  bool remove(std::size_t i);
  void remove(const bit_set& other);
  // Removes all numbers that `other` does not contain.
  void keep_in(const bit_set& other);
  void clear() { words_.clear(); }

  bool empty() const { return words_.empty(); }
  // Whether it contains two numbers or more.
  bool has_several() const;
  bool contains(std::size_t i) const {
    return i / 64 < words_.size() && (words_[i / 64] >> (i % 64) & 1) != 0;
  }
  bool is_in(const bit_set& other) const;
  // Calls f(i) for each number in ascending order. f leaves the set as it is.
  void each(const auto& f) const {
    for (std::size_t at = 0; at < words_.size(); ++at)
      for (std::uint64_t word = words_[at]; word != 0; word &= word - 1)
        f(64 * at + static_cast<std::size_t>(std::countr_zero(word)));
  }
  bool operator==(const bit_set& with) const = default;
  std::size_t hash() const;

 private:
  void drop_zeros() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }

  std::vector<std::uint64_t> words_;  // the last one is not 0
};

}  // namespace frontend

#endif
