// SPDX-License-Identifier: Apache-2.0
#include "languages/support/bit_set.hpp"

#include <algorithm>

namespace frontend {

void bit_set::add(const bit_set& other) {
  if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
  for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
}

bool bit_set::remove(std::size_t i) {
  if (!contains(i)) return false;
  words_[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  drop_zeros();
  return true;
}

void bit_set::remove(const bit_set& other) {
  const std::size_t count = std::min(words_.size(), other.words_.size());
  for (std::size_t i = 0; i < count; ++i) words_[i] &= ~other.words_[i];
  drop_zeros();
}

void bit_set::keep_in(const bit_set& other) {
  if (words_.size() > other.words_.size()) words_.resize(other.words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  drop_zeros();
}

bool bit_set::has_several() const {
  int count = 0;
  for (const std::uint64_t word : words_) count += std::popcount(word);
  return count > 1;
}

bool bit_set::is_in(const bit_set& other) const {
  if (words_.size() > other.words_.size()) return false;
  return std::equal(words_.begin(), words_.end(), other.words_.begin(),
                    [](std::uint64_t own, std::uint64_t its) { return (own & ~its) == 0; });
}

std::size_t bit_set::hash() const {
  std::size_t all = 0;
  for (const std::uint64_t word : words_) all = (all ^ all >> 29) * 0xbf58476d1ce4e5b9U + word;
  return all;
}

}  // namespace frontend
