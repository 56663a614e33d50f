// SPDX-License-Identifier: Apache-2.0
// A set of small numbers. One of numbers below 63, as most are, is a word; beyond these it grows.
#ifndef FRONTEND_BIT_SET_HPP
#define FRONTEND_BIT_SET_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace frontend {

class bit_set {
 public:
  bit_set() = default;
  bit_set(bit_set&& from) noexcept : word_(std::exchange(from.word_, 0)) {}
  bit_set& operator=(bit_set&& from) noexcept {  // the two change places
    std::swap(word_, from.word_);
    return *this;
  }
  bit_set(const bit_set& from) : word_(from.word_) {
    if (!is_word()) [[unlikely]]
      word_ = copy_of(from.words());
  }
  bit_set& operator=(const bit_set& from) {
    if (!is_word() || !from.is_word()) [[unlikely]]
      return *this = bit_set(from);
    word_ = from.word_;
    return *this;
  }
  ~bit_set() {
    if (!is_word()) [[unlikely]]
      drop_words();
  }

  void add(std::size_t i) {
    if (i >= kInWord || !is_word()) [[unlikely]]
      return add_far(i);
    word_ |= std::uint64_t{1} << i;
  }
  void add_below(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(i);
  }
  // Whether it was there.
  bool remove(std::size_t i);
  void add(const bit_set& other) {
    if (!is_word() || !other.is_word()) [[unlikely]]
      return add_far(other);
    word_ |= other.word_;
  }
  // What `other` has is not in it any more; or only what `other` has, too.
  void remove(const bit_set& other) {
    if (!is_word() || !other.is_word()) [[unlikely]]
      return remove_far(other, false);
    word_ &= ~other.word_;
  }
  void keep_in(const bit_set& other) {
    if (!is_word() || !other.is_word()) [[unlikely]]
      return remove_far(other, true);
    word_ &= other.word_;
  }
  bool empty() const { return word_ == 0; }
  // Whether there are two or more.
  bool has_several() const { return !is_word() ? is_far_several() : (word_ & (word_ - 1)) != 0; }
  // Calls f(i) for each number that is in it, in their order; f leaves the set as it is.
  void each(const auto& f) const {
    const auto in_word = [&](std::uint64_t word, std::size_t first) {
      for (; word != 0; word &= word - 1)
        f(first + static_cast<std::size_t>(std::countr_zero(word)));
    };
    if (is_word()) return in_word(word_, 0);
    for (std::size_t i = 0; i < words().size(); ++i) in_word(words()[i], 64 * i);
  }
  bool contains(std::size_t i) const {
    if (!is_word()) [[unlikely]]
      return i / 64 < words().size() && (words()[i / 64] >> (i % 64) & 1) != 0;
    return i < kInWord && (word_ >> i & 1) != 0;
  }
  bool is_in(const bit_set& other) const {
    if (!is_word() || !other.is_word()) [[unlikely]]
      return is_far_in(other);
    return (word_ & ~other.word_) == 0;
  }
  void clear() {
    if (!is_word()) [[unlikely]]
      drop_words();
    word_ = 0;
  }
  bool operator==(const bit_set& with) const {
    if (!is_word() && !with.is_word()) [[unlikely]]
      return words() == with.words();
    return word_ == with.word_;
  }
  std::size_t hash() const {
    if (!is_word()) [[unlikely]]
      return hash_far();
    return word_;
  }

 private:
  using word_list = std::vector<std::uint64_t>;
  static constexpr std::size_t kInWord = 63;
  static constexpr std::uint64_t kFar = std::uint64_t{1} << kInWord;

  bool is_word() const { return (word_ & kFar) == 0; }
  // Unless is_word().
  word_list& words() const {
    return *reinterpret_cast<word_list*>(static_cast<std::uintptr_t>(word_ << 1));
  }
  static std::uint64_t copy_of(const word_list& from);
  void drop_words();
  void make_far();
  void add_far(std::size_t i);
  void add_far(const bit_set& other);
  void remove_far(const bit_set& other, bool keeps);
  bool is_far_several() const;
  void shorten();
  bool is_far_in(const bit_set& other) const;
  std::size_t hash_far() const;

  // The set; or, with kFar, where its words are, half of the address: then a number of 63 or more
  // is in it, and the last word is not 0.
  std::uint64_t word_ = 0;
};

}  // namespace frontend

#endif
