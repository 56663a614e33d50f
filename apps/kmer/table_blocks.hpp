// SPDX-License-Identifier: Apache-2.0
// The blocks of one bin of a table, as they will lie in the file.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include <zlib.h>

#include "table_format.hpp"

namespace kmer {

inline std::uint32_t checksum_of(const void* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(crc32_z(0, static_cast<const Bytef*>(bytes), count));
}

class table_blocks {
 public:
  // For so many entries, which are then added in their order. The memory is kept by the caller, to
  // be used for one bin after the other.
  table_blocks(std::vector<char>& bytes, std::uint64_t entries, std::size_t key_bytes,
               std::size_t count_bytes)
      : key_bytes_(key_bytes), count_bytes_(count_bytes), left_(entries) {
    bytes.resize(bin_bytes(entries, key_bytes + count_bytes));
    at_ = block_ = bytes.data();
  }

  template <class Key>
  void add(const Key& kmer, std::uint64_t count) {
    std::memcpy(at_, &kmer, key_bytes_);
    std::memcpy(at_ + key_bytes_, &count, count_bytes_);
    at_ += key_bytes_ + count_bytes_;
    --left_;
    if (++in_block_ == kBlockEntries || left_ == 0) end_block();
  }

 private:
  void end_block() {
    const std::uint32_t checksum = checksum_of(block_, static_cast<std::size_t>(at_ - block_));
    std::memcpy(at_, &checksum, kChecksumBytes);
    at_ = block_ = at_ + kChecksumBytes;
    in_block_ = 0;
  }

  std::size_t key_bytes_, count_bytes_;
  std::uint64_t left_;          // entries that are still to be added
  std::uint64_t in_block_ = 0;  // of block_, which ends at at_
  char* at_;
  char* block_;
};

}  // namespace kmer
