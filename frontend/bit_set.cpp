// SPDX-License-Identifier: Apache-2.0
#include "frontend/bit_set.hpp"

namespace frontend {

void bit_set::add_far(std::size_t i) {
  if (!more_) more_ = std::make_unique<words>();
  if (more_->size() < i / 64) more_->resize(i / 64);
  (*more_)[i / 64 - 1] |= std::uint64_t{1} << (i % 64);
}

bool bit_set::remove(std::size_t i) {
  if (!contains(i)) return false;
  std::uint64_t& word = i < 64 ? first_ : (*more_)[i / 64 - 1];
  word &= ~(std::uint64_t{1} << (i % 64));
  while (more_ && more_->back() == 0) {
    more_->pop_back();
    if (more_->empty()) more_.reset();
  }
  return true;
}

void bit_set::add_far(const words& other) {
  if (!more_) more_ = std::make_unique<words>();
  if (more_->size() < other.size()) more_->resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) (*more_)[i] |= other[i];
}

bool bit_set::is_far_in(const bit_set& other) const {
  if (!other.more_ || other.more_->size() < more_->size()) return false;
  for (std::size_t i = 0; i < more_->size(); ++i)
    if (((*more_)[i] & ~(*other.more_)[i]) != 0) return false;
  return true;
}

std::size_t bit_set::hash() const {
  std::size_t all = first_;
  if (more_) [[unlikely]]
    for (const std::uint64_t w : *more_) all = (all ^ all >> 29) * 0xbf58476d1ce4e5b9U + w;
  return all;
}

}  // namespace frontend
