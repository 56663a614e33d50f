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
  // Ends the process with a message if there is no room: tables also grow inside handlers, where
  // nothing can be thrown.
  explicit word_memory(std::uint64_t words);
  word_memory(word_memory&& other) noexcept
      : words_(std::exchange(other.words_, nullptr)),
        mapped_(std::exchange(other.mapped_, nullptr)),
        mapped_bytes_(std::exchange(other.mapped_bytes_, 0)) {}
  word_memory& operator=(word_memory&& other) noexcept {
    std::swap(words_, other.words_);
    std::swap(mapped_, other.mapped_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
    return *this;
  }
  ~word_memory();

  std::uint64_t* data() const { return words_; }
  std::uint64_t& operator[](std::uint64_t index) const { return words_[index]; }

 private:
  std::uint64_t* words_ = nullptr;  // inside the mapping, where a huge page begins
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
};

}  // namespace kmer
