// SPDX-License-Identifier: Apache-2.0
// A set of small numbers. One of numbers below 64, as most are, is a word; beyond these it grows.
#ifndef FRONTEND_BIT_SET_HPP
#define FRONTEND_BIT_SET_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace frontend {

class bit_set {
 public:
  bit_set() = default;
  bit_set(bit_set&&) noexcept = default;
  bit_set& operator=(bit_set&&) noexcept = default;
  bit_set(const bit_set& from) : first_(from.first_) {
    if (from.more_) [[unlikely]]
      more_ = std::make_unique<words>(*from.more_);
  }
  bit_set& operator=(const bit_set& from) {
    first_ = from.first_;
    if (more_ || from.more_) [[unlikely]]
      more_ = from.more_ ? std::make_unique<words>(*from.more_) : nullptr;
    return *this;
  }

  void add(std::size_t i) {
    if (i >= 64) [[unlikely]]
      return add_far(i);
    first_ |= std::uint64_t{1} << i;
  }
  void add_below(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(i);
  }
  // Whether it was there.
  bool remove(std::size_t i);
  void add(const bit_set& other) {
    first_ |= other.first_;
    if (other.more_) [[unlikely]]
      add_far(*other.more_);
  }
  bool contains(std::size_t i) const {
    if (i >= 64) [[unlikely]]
      return more_ && i / 64 <= more_->size() && ((*more_)[i / 64 - 1] >> (i % 64) & 1) != 0;
    return (first_ >> i & 1) != 0;
  }
  bool is_in(const bit_set& other) const {
    if ((first_ & ~other.first_) != 0) return false;
    return !more_ || is_far_in(other);
  }
  void clear() {
    first_ = 0;
    more_.reset();
  }
  bool operator==(const bit_set& with) const {
    if (first_ != with.first_) return false;
    return more_ && with.more_ ? *more_ == *with.more_ : !more_ && !with.more_;
  }
  std::size_t hash() const;

 private:
  using words = std::vector<std::uint64_t>;
  void add_far(std::size_t i);
  void add_far(const words& other);
  bool is_far_in(const bit_set& other) const;

  std::uint64_t first_ = 0;
  std::unique_ptr<words> more_;  // of 64 on: null if there are none, else its last word is not 0
};

}  // namespace frontend

#endif
