// SPDX-License-Identifier: Apache-2.0
// Zeroed words in large numbers, on huge pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace kmer {

class word_memory {
 public:
  word_memory() = default;
  // This many, or so many more that they fill their huge pages. Ends the process with a message if
  // there is no room: tables also grow inside handlers, where nothing can be thrown.
  explicit word_memory(std::uint64_t words);
  word_memory(word_memory&& other) noexcept
      : words_(std::exchange(other.words_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  word_memory& operator=(word_memory&& other) noexcept {
    std::swap(words_, other.words_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~word_memory();

  // Has at least this many words from now on, perhaps at other addresses: what they hold stays,
  // more are zero. Huge pages move there as they are: they are not in memory twice meanwhile.
  void grow(std::uint64_t words);

  std::uint64_t words() const { return bytes_ / sizeof(std::uint64_t); }
  std::uint64_t* data() const { return words_; }
  std::uint64_t& operator[](std::uint64_t index) const { return words_[index]; }

 private:
  std::uint64_t* words_ = nullptr;
  std::size_t bytes_ = 0;  // mapped, all of them from words_ on
};

}  // namespace kmer
