// SPDX-License-Identifier: Apache-2.0
// The blocks of one bin of a table, as they will lie in the file.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include <zlib.h>

#include "table_format.hpp"

namespace kmer {

// `before` is that of the bytes that stand before these, if they belong together.
inline std::uint32_t checksum_of(const void* bytes, std::size_t count, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(crc32_z(before, static_cast<const Bytef*>(bytes), count));
}

// The entries come in parts, which need not end where a block does.
class table_blocks {
 public:
  // For so many entries of the whole bin, which are then added in their order.
  table_blocks(std::uint64_t entries, std::size_t key_bytes, std::size_t count_bytes)
      : key_bytes_(key_bytes), count_bytes_(count_bytes), left_(entries) {}

  // Entries of the bin that are still to be added.
  std::uint64_t left() const { return left_; }

  // The next `entries` ones go to `bytes`, which then has just what they take. The memory is kept
  // by the caller, to be used for one part after the other. To be ended before the next one.
  void begin_part(std::vector<char>& bytes, std::uint64_t entries) {
    const std::uint64_t in_blocks = in_block_ + entries;
    const bool is_last = entries == left_ && in_blocks % kBlockEntries != 0;
    bytes.resize(entries * (key_bytes_ + count_bytes_) +
                 (in_blocks / kBlockEntries + (is_last ? 1 : 0)) * kChecksumBytes);
    at_ = summed_ = bytes.data();
  }
  template <class Key>
  void add(const Key& kmer, std::uint64_t count) {
    std::memcpy(at_, &kmer, key_bytes_);
    std::memcpy(at_ + key_bytes_, &count, count_bytes_);
    at_ += key_bytes_ + count_bytes_;
    --left_;
    if (++in_block_ == kBlockEntries || left_ == 0) end_block();
  }
  void end_part() { sum(); }

 private:
  void sum() {
    checksum_ = checksum_of(summed_, static_cast<std::size_t>(at_ - summed_), checksum_);
    summed_ = at_;
  }
  void end_block() {
    sum();
    std::memcpy(at_, &checksum_, kChecksumBytes);
    at_ = summed_ = at_ + kChecksumBytes;
    checksum_ = 0;
    in_block_ = 0;
  }

  std::size_t key_bytes_, count_bytes_;
  std::uint64_t left_;
  std::uint64_t in_block_ = 0;  // entries of the block that ends at at_
  std::uint32_t checksum_ = 0;  // of that block, before summed_
  char* at_ = nullptr;
  char* summed_ = nullptr;
};

}  // namespace kmer
