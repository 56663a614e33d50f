// SPDX-License-Identifier: Apache-2.0
#include "frontend/bit_set.hpp"

#include <algorithm>

namespace frontend {

std::uint64_t bit_set::copy_of(const word_list& from) {
  return reinterpret_cast<std::uintptr_t>(new word_list(from)) >> 1 | kFar;
}

void bit_set::drop_words() { delete &words(); }

void bit_set::make_far() {
  if (is_word()) word_ = copy_of({word_});
}

void bit_set::add_far(std::size_t i) {
  make_far();
  word_list& all = words();
  if (all.size() <= i / 64) all.resize(i / 64 + 1);
  all[i / 64] |= std::uint64_t{1} << (i % 64);
}

void bit_set::add_far(const bit_set& other) {
  make_far();
  word_list& all = words();
  if (other.is_word()) {
    all[0] |= other.word_;
    return;
  }
  const word_list& others = other.words();
  if (all.size() < others.size()) all.resize(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) all[i] |= others[i];
}

bool bit_set::remove(std::size_t i) {
  if (!contains(i)) return false;
  const std::uint64_t rest = ~(std::uint64_t{1} << (i % 64));
  if (is_word()) {
    word_ &= rest;
    return true;
  }
  words()[i / 64] &= rest;
  shorten();
  return true;
}

void bit_set::shorten() {
  word_list& all = words();
  while (all.size() > 1 && all.back() == 0) all.pop_back();
  if (all.size() == 1 && (all[0] & kFar) == 0) {
    const std::uint64_t word = all[0];
    drop_words();
    word_ = word;
  }
}

void bit_set::remove_far(const bit_set& other, bool keeps) {
  const auto word_of = [](const bit_set& set, std::size_t i) {
    if (set.is_word()) return i == 0 ? set.word_ : 0;
    return i < set.words().size() ? set.words()[i] : 0;
  };
  const auto left = [&](std::uint64_t word, std::size_t i) {
    const std::uint64_t its = word_of(other, i);
    return word & (keeps ? its : ~its);
  };
  if (is_word()) {
    word_ = left(word_, 0);
    return;
  }
  for (std::size_t i = 0; i < words().size(); ++i) words()[i] = left(words()[i], i);
  shorten();
}

bool bit_set::is_far_several() const {
  int count = 0;
  for (const std::uint64_t w : words()) count += std::popcount(w);
  return count > 1;
}

bool bit_set::is_far_in(const bit_set& other) const {
  if (is_word()) return (word_ & ~other.words()[0]) == 0;
  if (other.is_word() || other.words().size() < words().size()) return false;
  return std::equal(words().begin(), words().end(), other.words().begin(),
                    [](std::uint64_t own, std::uint64_t its) { return (own & ~its) == 0; });
}

std::size_t bit_set::hash_far() const {
  std::size_t all = 0;
  for (const std::uint64_t w : words()) all = (all ^ all >> 29) * 0xbf58476d1ce4e5b9U + w;
  return all;
}

}  // namespace frontend
