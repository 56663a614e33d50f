// SPDX-License-Identifier: Apache-2.0
// A table of counts in a file. All numbers have their lowest byte first.
//
//   header | index: one table_bin a bin | blocks of the bins, in any order of bins
//
// An entry is the canonical k-mer (key_bytes) and its count (count_bytes of its bin). The entries
// of a bin ascend by (hash_of(k-mer), k-mer); a k-mer's bin is splitter::bin_of. They lie in blocks
// of kBlockEntries, the last of a bin with fewer, and each block ends with its checksum. So a query
// checks the blocks that it reads, and no others. Checksums are zlib's crc32.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace kmer {

struct table_header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t k;
  std::uint32_t bins;
  std::uint32_t key_bytes;
  std::uint64_t distinct;    // entries
  std::uint64_t file_bytes;  // a file that is shorter was cut
  std::uint32_t index_checksum;
  std::uint32_t checksum;  // of what stands before it
};

struct table_bin {
  std::uint64_t offset;  // of the first block, in the file
  std::uint64_t entries;
  std::uint32_t count_bytes;
  std::uint32_t zero;
};

inline constexpr char kTableMagic[8] = {'R', 'J', 'K', 'M', 'E', 'R', 'S', '\n'};
inline constexpr std::uint32_t kTableVersion = 2;
inline constexpr std::uint64_t kBlockEntries = 128;
inline constexpr std::size_t kChecksumBytes = 4;

static_assert(sizeof(table_header) == 48 && offsetof(table_header, distinct) == 24);
static_assert(offsetof(table_header, checksum) == 44);
static_assert(sizeof(table_bin) == 24 && offsetof(table_bin, count_bytes) == 16);
static_assert(std::endian::native == std::endian::little);

inline constexpr unsigned key_bytes_of(unsigned k) { return (2 * k + 7) / 8; }

// Of all blocks of a bin.
inline constexpr std::uint64_t bin_bytes(std::uint64_t entries, std::uint64_t entry_bytes) {
  return entries * entry_bytes + (entries + kBlockEntries - 1) / kBlockEntries * kChecksumBytes;
}

}  // namespace kmer
